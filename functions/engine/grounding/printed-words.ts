/** The words of a document, numbered row by row, and what every kind of match is made of. */
import type { Box } from "../../ports/layout.ts";
import { unionBox } from "../layout/geometry.ts";
import type { DocumentView } from "../structure/view/document-view.ts";
import type { Segment, Token } from "../structure/view/tokens.ts";

/** Words that may be a value. */
export interface Occurrence {
  tokens: Token[];
  /** Number of its first word on the page as seen, row by row: the order in which rows of tables follow. */
  first: number;
  /** Position of the row of its first word in the document. */
  row: number;
  box: Box;
  /** 0 to 1: how well the words are the value. */
  quality: number;
}

export interface Printed {
  view: DocumentView;
  /** Row by row, from left to right. */
  tokens: Token[];
  /** Of each token, by its number. */
  rows: number[];
  segments: Segment[];
  /** Numbers of the tokens in the reader's order. */
  reading: number[];
  /** Position of each page by its number. */
  pages: ReadonlyMap<number, number>;
}

/** Numbers the words of a view. */
export function printedWords(view: DocumentView): Printed {
  const tokens: Token[] = [];
  const rows: number[] = [];
  const segments: Segment[] = [];
  for (const segment of view.segments) {
    for (const token of segment.tokens) {
      tokens.push(token);
      rows.push(segment.row);
      segments.push(segment);
    }
  }
  const pages = new Map(view.pages.map((page, index) => [page.number, index]));
  const page = tokens.map((token) => pages.get(token.page) ?? 0);
  const reading = tokens
    .map((_, number) => number)
    .sort((a, b) => (page[a] ?? 0) - (page[b] ?? 0) || (tokens[a]?.index ?? 0) - (tokens[b]?.index ?? 0) || a - b);
  return { view, tokens, rows, segments, reading, pages };
}

/** How source locations name a word. */
export const referenceOf = (token: Pick<Token, "page" | "index">): string => `p${token.page}/w${token.index}`;

/** More words than a page has. */
const PAGE = 2 ** 32;

/** Numbers of the words that a reference names, in order: parts of one word share it. */
export function wordsNamed(printed: Printed, reference: string): number[] {
  const [, page, index] = /^p(\d+)\/w(\d+)$/.exec(reference) ?? [];
  const { pages, reading, tokens } = printed;
  const positionOf = (number: number): number => {
    const token = tokens[number];
    return token === undefined ? 0 : (pages.get(token.page) ?? 0) * PAGE + token.index;
  };
  const wanted = (pages.get(Number(page)) ?? Number.NaN) * PAGE + Number(index);
  const named: number[] = [];
  for (let at = lowerBound(reading, positionOf, wanted); ; at += 1) {
    const number = reading[at];
    if (number === undefined || positionOf(number) !== wanted) return named;
    named.push(number);
  }
}

/** An occurrence of some words, given by their numbers. @throws RangeError for none */
export function occurrence(printed: Printed, numbers: readonly number[], quality: number): Occurrence {
  const tokens = numbers.flatMap((number) => printed.tokens[number] ?? []);
  const first = numbers[0] ?? 0;
  const row = printed.rows[first] ?? 0;
  const page = tokens[0]?.page;
  const box = unionBox(tokens.filter((token) => token.page === page).map((token) => token.box));
  return { tokens, first, row, box, quality };
}

/** Text read at once, in words: a line is never that long, a hostile one is. */
const WORDS_AT_ONCE = 400;

/** Words in a row with the text they make. */
export class Passage {
  readonly text: string;
  readonly #numbers: readonly number[];
  readonly #starts: number[] = [];

  constructor(printed: Printed, numbers: readonly number[]) {
    this.#numbers = numbers;
    let text = "";
    for (const number of numbers) {
      if (text !== "") text += " ";
      this.#starts.push(text.length);
      text += printed.tokens[number]?.text ?? "";
    }
    this.text = text;
  }

  /** Numbers of the words that text positions `start` to `end` touch. */
  wordsBetween(start: number, end: number): number[] {
    const from = Math.max(0, lowerBound(this.#starts, (at) => at, start + 1) - 1);
    return this.#numbers.slice(
      from,
      lowerBound(this.#starts, (at) => at, end),
    );
  }
}

/** The text of every segment, very long ones in pieces. */
export function* passages(printed: Printed): Generator<Passage> {
  let number = 0;
  for (const { tokens } of printed.view.segments) {
    for (let left = tokens.length; left > 0; left -= WORDS_AT_ONCE) {
      const first = number;
      const count = Math.min(left, WORDS_AT_ONCE);
      yield new Passage(
        printed,
        Array.from({ length: count }, (_, at) => first + at),
      );
      number += count;
    }
  }
}

/** Words on either side of a line's end that are read together. */
const AROUND_BREAK = 3;

/** The ends of lines with the beginnings of the next, as the reader orders them. */
export function* breaks(printed: Printed): Generator<{ passage: Passage; first: number; next: number }> {
  const { reading, rows } = printed;
  for (let at = 1; at < reading.length; at += 1) {
    const [before, after] = [reading[at - 1] ?? 0, reading[at] ?? 0];
    if (rows[before] === rows[after]) continue;
    const numbers = reading.slice(Math.max(0, at - AROUND_BREAK), at + AROUND_BREAK);
    yield { passage: new Passage(printed, numbers), first: before, next: after };
  }
}

/** Work that one document may cost, in steps of comparing; hostile input ends there. */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** @returns false when there is none left */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left > 0;
  }
}

/** The first position in a sorted list whose key is at least `key`. */
export function lowerBound<T>(sorted: readonly T[], keyOf: (item: T) => number, key: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && keyOf(item) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
