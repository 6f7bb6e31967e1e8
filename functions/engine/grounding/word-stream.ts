/** A stream of comparable word parts, searched for sequences across word boundaries and line breaks. */
import { foldText } from "../values/text-folding.ts";
import type { ComparisonBudget, PrintedWords } from "./printed-words.ts";

/** Scripts without spaces are compared character by character. */
const UNSPACED_SCRIPTS = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}";
const TEXT_PARTS = new RegExp(`\\p{N}+|[${UNSPACED_SCRIPTS}]|(?:(?![${UNSPACED_SCRIPTS}])\\p{L})+`, "gu");

/** Splits a folded text into runs of letters, runs of digits and unspaced characters; drops all else. */
export const textParts = (text: string): string[] => foldText(text).match(TEXT_PARTS) ?? [];

/** Splits a folded text into runs of letters and digits. */
export const textRuns = (text: string): string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Positions tried for one value, positions for values that begin inside another word, and the length of such a
 * beginning.
 */
const MAX_POSITIONS = 20_000;
const MAX_PREFIX_POSITIONS = 2_000;
const MAX_PREFIX_CHARACTERS = 24;

/** Signs that stand alone before and behind a text. */
const LEADING_SIGNS = /^\s*([^\p{L}\p{N}\s]+)\s/u;
const TRAILING_SIGNS = /\s([^\p{L}\p{N}\s]+)\s*$/u;

/** Parts `from` to `to` (inclusive) of a stream. */
export interface PartRange {
  from: number;
  to: number;
}

export class WordStream {
  readonly keys: string[] = [];
  /** The number of each part's word. */
  readonly owners: number[] = [];
  readonly #positions = new Map<string, number[]>();
  readonly #printed: PrintedWords;
  readonly #order: readonly number[];
  /** The index of each part's word in the order; words of signs only have no part. */
  readonly #places: number[] = [];

  /** @param order numbers of the words @param split splits a word into parts; called once for each spelling */
  constructor(printed: PrintedWords, order: readonly number[], split: (text: string) => readonly string[]) {
    const known = new Map<string, readonly string[]>();
    this.#printed = printed;
    this.#order = order;
    for (const [place, number] of order.entries()) {
      const text = printed.tokens[number]?.text ?? "";
      const parts = known.get(text) ?? split(text);
      known.set(text, parts);
      for (const part of parts) this.#add(part, number, place);
    }
  }

  #add(part: string, number: number, place: number): void {
    const list = this.#positions.get(part);
    if (list === undefined) this.#positions.set(part, [this.keys.length]);
    else list.push(this.keys.length);
    this.keys.push(part);
    this.owners.push(number);
    this.#places.push(place);
  }

  /** Positions of a part, in order. */
  positions(part: string): readonly number[] {
    return this.#positions.get(part) ?? [];
  }

  /** All distinct parts. */
  vocabulary(): IterableIterator<string> {
    return this.#positions.keys();
  }

  /** Extends a part at `position`, which begins `offset` characters into the text, to the whole text. */
  #grow(text: string, position: number, offset: number): PartRange | null {
    let from = position;
    for (let left = offset; left > 0; ) {
      from -= 1;
      const key = this.keys[from];
      if (key === undefined || key.length > left || !text.endsWith(key, left)) return null;
      left -= key.length;
    }
    let to = position - 1;
    for (let at = offset; at < text.length; ) {
      to += 1;
      const key = this.keys[to];
      if (key === undefined || !text.startsWith(key, at)) return null;
      at += key.length;
    }
    return { from, to };
  }

  #grown(
    text: string,
    positions: readonly number[],
    offset: number,
    most: number,
    budget: ComparisonBudget,
  ): PartRange[] {
    const found: PartRange[] = [];
    for (const position of positions.slice(0, most)) {
      if (!budget.spend(1)) break;
      const stretch = this.#grow(text, position, offset);
      if (stretch !== null) found.push(stretch);
    }
    return found;
  }

  /** All ranges that spell the parts, wherever words begin and end. */
  find(parts: readonly string[], budget: ComparisonBudget): PartRange[] {
    const text = parts.join("");
    let rarest: { offset: number; positions: readonly number[] } | undefined;
    let offset = 0;
    for (const part of parts) {
      const positions = this.positions(part);
      if (positions.length > 0 && (rarest === undefined || positions.length < rarest.positions.length))
        rarest = { offset, positions };
      offset += part.length;
    }
    if (rarest !== undefined) {
      const found = this.#grown(text, rarest.positions, rarest.offset, MAX_POSITIONS, budget);
      if (found.length > 0) return found;
    }
    const found: PartRange[] = [];
    for (let length = 1; length <= Math.min(text.length, MAX_PREFIX_CHARACTERS); length += 1) {
      const positions = this.positions(text.slice(0, length));
      found.push(...this.#grown(text, positions, 0, MAX_PREFIX_POSITIONS, budget));
    }
    return found.sort((a, b) => a.from - b.from);
  }

  /**
   * The numbers of a range's words, with the signs between them.
   * @param text its leading and trailing signs are included: `€ 5`, `Total:`
   */
  wordsOf({ from, to }: PartRange, text: string): number[] {
    let first = this.#places[from] ?? 0;
    let last = this.#places[to] ?? first;
    const signs = (place: number): string => this.#printed.tokens[this.#order[place] ?? -1]?.text ?? "";
    if (signs(first - 1) !== "" && signs(first - 1) === LEADING_SIGNS.exec(text)?.[1]) first -= 1;
    if (signs(last + 1) !== "" && signs(last + 1) === TRAILING_SIGNS.exec(text)?.[1]) last += 1;
    return this.#order.slice(first, last + 1);
  }
}
