/** The words of a document, numbered row by row, and occurrences of values among them. */
import type { Box } from "../../ports/layout.ts";
import { lowerBound } from "../layout/binary-search.ts";
import { unionBox } from "../layout/geometry.ts";
import type { DocumentView } from "../structure/view/document-view.ts";
import type { Segment, Token } from "../structure/view/tokens.ts";

/** Words that may be a value. */
export interface Occurrence {
  tokens: Token[];
  /** Number of its first word, counted row by row: the order of table rows. */
  first: number;
  /** Row index of its first word in the document. */
  row: number;
  box: Box;
  /** Match quality, 0 to 1. */
  quality: number;
}

export interface PrintedWords {
  view: DocumentView;
  /** Row by row, from left to right. */
  tokens: Token[];
  /** Row index of each token. */
  rows: number[];
  segments: Segment[];
  /** Numbers of the tokens in reading order. */
  reading: number[];
  /** Index of each page by its number. */
  pages: ReadonlyMap<number, number>;
}

/** Numbers the words of a view. */
export function numberWords(view: DocumentView): PrintedWords {
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

/** A word's reference in source locations. */
export const wordReference = (token: Pick<Token, "page" | "index">): string => `p${token.page}/w${token.index}`;

/** Exceeds the words of any page. */
const WORD_NUMBERS_PER_PAGE = 2 ** 32;

/** Numbers of the words with a reference, in order: parts of one word share it. */
export function wordNumbersAt(printed: PrintedWords, reference: string): number[] {
  const [, page, index] = /^p(\d+)\/w(\d+)$/.exec(reference) ?? [];
  const { pages, reading, tokens } = printed;
  const positionOf = (number: number): number => {
    const token = tokens[number];
    return token === undefined ? 0 : (pages.get(token.page) ?? 0) * WORD_NUMBERS_PER_PAGE + token.index;
  };
  const wanted = (pages.get(Number(page)) ?? Number.NaN) * WORD_NUMBERS_PER_PAGE + Number(index);
  const named: number[] = [];
  for (let at = lowerBound(reading, positionOf, wanted); ; at += 1) {
    const number = reading[at];
    if (number === undefined || positionOf(number) !== wanted) return named;
    named.push(number);
  }
}

/** Makes an occurrence of some words. @throws RangeError for no words */
export function occurrenceOf(printed: PrintedWords, numbers: readonly number[], quality: number): Occurrence {
  const tokens = numbers.flatMap((number) => printed.tokens[number] ?? []);
  const first = numbers[0] ?? 0;
  const row = printed.rows[first] ?? 0;
  const page = tokens[0]?.page;
  const box = unionBox(tokens.filter((token) => token.page === page).map((token) => token.box));
  return { tokens, first, row, box, quality };
}

/** Only hostile lines are longer. */
const MAX_PASSAGE_WORDS = 400;

/** Consecutive words with their text. */
export class Passage {
  readonly text: string;
  readonly #numbers: readonly number[];
  readonly #starts: number[] = [];

  constructor(printed: PrintedWords, numbers: readonly number[]) {
    this.#numbers = numbers;
    let text = "";
    for (const number of numbers) {
      if (text !== "") text += " ";
      this.#starts.push(text.length);
      text += printed.tokens[number]?.text ?? "";
    }
    this.text = text;
  }

  /** Numbers of the words between text positions `start` and `end`. */
  wordsBetween(start: number, end: number): number[] {
    const from = Math.max(0, lowerBound(this.#starts, (at) => at, start + 1) - 1);
    return this.#numbers.slice(
      from,
      lowerBound(this.#starts, (at) => at, end),
    );
  }
}

/** The text of every segment; very long ones in pieces. */
export function* passages(printed: PrintedWords): Generator<Passage> {
  let number = 0;
  for (const { tokens } of printed.view.segments) {
    for (let left = tokens.length; left > 0; left -= MAX_PASSAGE_WORDS) {
      const first = number;
      const count = Math.min(left, MAX_PASSAGE_WORDS);
      yield new Passage(
        printed,
        Array.from({ length: count }, (_, at) => first + at),
      );
      number += count;
    }
  }
}

/** Words on either side of a line break that are read together. */
const WORDS_AROUND_BREAK = 3;

/** The words around each line break, in reading order. */
export function* lineBreaks(printed: PrintedWords): Generator<{ passage: Passage; first: number; next: number }> {
  const { reading, rows } = printed;
  for (let at = 1; at < reading.length; at += 1) {
    const [before, after] = [reading[at - 1] ?? 0, reading[at] ?? 0];
    if (rows[before] === rows[after]) continue;
    const numbers = reading.slice(Math.max(0, at - WORDS_AROUND_BREAK), at + WORDS_AROUND_BREAK);
    yield { passage: new Passage(printed, numbers), first: before, next: after };
  }
}

/** Limits the comparisons that one document may cost; hostile input ends there. */
export class ComparisonBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** @returns false when the budget is used up */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left > 0;
  }
}
