/** Values that the document's text lacks: invented, misread, or calculated. A second request checks them. */
import { isObject, type Json } from "../../../ports/json.ts";
import { choicesOf } from "../../schema/convert-scalar.ts";
import { pointerOf } from "../../schema/json-pointer.ts";
import type { ParsedSchema } from "../../schema/parsed-schema.ts";
import { scanDates } from "../../values/dates.ts";
import { scanNumbers } from "../../values/numbers.ts";
import type { TextConventions } from "../../values/text-conventions.ts";
import { foldText } from "../../values/text-folding.ts";
import type { PageContent } from "../prompts/model-content.ts";

/** A value that the document does not print. */
export interface Doubt {
  pointer: string;
  value: string | number;
}

/** Values that are checked; of long lists the first rows. */
const MAX_CHECKED_VALUES = 20_000;
const MAX_CODE_CHARS = 64;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;

const wordsOf = (text: string): string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words, numbers and dates of a text. */
class PrintedValues {
  readonly #words = new Set<string>();
  readonly #numbers = new Set<number>();
  readonly #dates = new Set<string>();

  constructor(texts: readonly string[], { notation, order }: TextConventions) {
    for (const line of texts.flatMap((text) => text.split("\n"))) {
      for (const word of wordsOf(line)) this.#words.add(word);
      for (const { value } of scanNumbers(line, notation)) this.#numbers.add(Math.abs(value));
      for (const { iso } of scanDates(line, order, true)) this.#dates.add(iso);
    }
  }

  has(value: string | number): boolean {
    if (typeof value === "number") return this.#number(value);
    if (ISO_DATE.test(value) && this.#dates.has(value.slice(0, 10))) return true;
    return wordsOf(value).every((word) => this.#words.has(word)) || this.#joined(value);
  }

  /** A percentage may be given as a share; 0 and 1 may be implied. */
  #number(value: number): boolean {
    const size = Math.abs(value);
    const percent = Number((size * 100).toPrecision(12));
    return size <= 1 && Number.isInteger(size)
      ? true
      : this.#numbers.has(size) || this.#numbers.has(percent) || this.#words.has(String(size));
  }

  /** Codes may be printed with other gaps: `DE89 3704…`. */
  #joined(value: string): boolean {
    const joined = wordsOf(value).join("");
    return joined.length > 0 && joined.length <= MAX_CODE_CHARS && this.#words.has(joined);
  }
}

/**
 * Values that the document should print and does not. Choices and constants are the schema's own words, and booleans are
 * not printed: they are not doubted.
 * @param maxDoubts further ones are not reported
 */
export function findDoubts(
  data: Json,
  { json, resolver }: ParsedSchema,
  pages: readonly Pick<PageContent, "text">[],
  conventions: TextConventions,
  maxDoubts: number,
): Doubt[] {
  const printed = new PrintedValues(
    pages.map(({ text }) => text),
    conventions,
  );
  const doubts: Doubt[] = [];
  let checked = 0;
  const visit = (value: Json, given: Json | undefined, path: (string | number)[]): void => {
    if (doubts.length >= maxDoubts || checked >= MAX_CHECKED_VALUES) return;
    const flat = resolver.flat(given)?.schema ?? {};
    const options = resolver.alternatives(flat);
    if (Array.isArray(value)) {
      const items = options.map((option) => option.items).find((one) => isObject(one));
      for (const [at, item] of value.entries()) visit(item, items, [...path, at]);
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        const property = options
          .map(({ properties }) =>
            isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined,
          )
          .find((one) => one !== undefined);
        visit(member, property, [...path, name]);
      }
    } else if (typeof value === "string" || typeof value === "number") {
      checked += 1;
      if (options.some((option) => choicesOf(option) !== undefined)) return;
      if (!printed.has(value)) doubts.push({ pointer: pointerOf(path), value });
    }
  };
  visit(data, json, []);
  return doubts;
}
