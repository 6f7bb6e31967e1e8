/** Names of fields, made from their labels. */
import { foldText } from "../../values/text-folding.ts";

/**
 * `source_snake_case`: the label's own letters, in lower case. `snake_case`, `camelCase`: Latin letters without accents
 * only, for programs that take no others.
 */
export const FIELD_NAME_STYLES = ["source_snake_case", "snake_case", "camelCase"] as const;
export type FieldNameStyle = (typeof FIELD_NAME_STYLES)[number];

/** Words and characters of a name at most: the beginning of a long label tells it from others. */
const MAX_NAME_WORDS = 8;
const MAX_NAME_CHARACTERS = 64;

function nameWords(label: string, style: FieldNameStyle): string[] {
  const text = style === "source_snake_case" ? label.normalize("NFC").toLowerCase() : foldText(label);
  const words = text.match(style === "source_snake_case" ? /[\p{L}\p{M}\p{N}]+/gu : /[a-z0-9]+/gu) ?? [];
  const kept: string[] = [];
  let length = 0;
  for (const word of words.slice(0, MAX_NAME_WORDS)) {
    length += word.length + 1;
    if (length > MAX_NAME_CHARACTERS && kept.length > 0) break;
    kept.push(word.slice(0, MAX_NAME_CHARACTERS));
  }
  return kept;
}

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

const joinWords = (words: readonly string[], style: FieldNameStyle): string =>
  style === "camelCase"
    ? words.map((word, index) => (index === 0 ? word : capitalized(word))).join("")
    : words.join("_");

/** The name that a label makes; `fallback` for a label without letters. */
export function fieldName(label: string, style: FieldNameStyle, fallback: string): string {
  const words = nameWords(label, style);
  return joinWords(words.length === 0 ? nameWords(fallback, style) : words, style);
}

/** Makes names unique: the second of a name gets a 2. */
export class UniqueNames {
  readonly #style: FieldNameStyle;
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  constructor(style: FieldNameStyle, taken: Iterable<string> = []) {
    this.#style = style;
    for (const name of taken) this.#taken.add(name);
  }

  /** The name itself, or with the next free number. */
  add(name: string): string {
    let own = name;
    let number = this.#next.get(name) ?? 2;
    while (this.#taken.has(own)) {
      own = this.#style === "camelCase" ? `${name}${number}` : `${name}_${number}`;
      number += 1;
    }
    this.#next.set(name, number);
    this.#taken.add(own);
    return own;
  }
}
