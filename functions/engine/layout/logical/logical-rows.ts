/** Text on a grid of 10 columns and 6 rows an inch: words in columns, rows that wrap. */
import type { Box, Line, Word } from "../../../ports/layout.ts";

export const COLUMNS_PER_INCH = 10;
export const ROWS_PER_INCH = 6;
const TAB_STOP = 8;
/** Two spaces are a typist's habit; three, or a tab, part what stands on a row into lines, as columns do. */
export const APART = 3;
/** A tab leaves at least so many columns, or its two sides would read as one. */
const LEAST_TAB = 2;

/** A stretch of text that looks the same throughout. */
export interface Run {
  text: string;
  bold?: boolean;
  /** Where it leads: http, https, mailto or tel. */
  link?: string;
}

export interface Token {
  text: string;
  column: number;
  /** What its first character looks like. */
  looks: Omit<Run, "text">;
  /** Stands apart from what is before it on the row. */
  apart: boolean;
}

/** Inches to a ten-thousandth. */
export const round = (inches: number): number => Math.round(inches * 10_000) / 10_000;

function afterTab(column: number): number {
  const next = (Math.floor(column / TAB_STOP) + 1) * TAB_STOP;
  return next - column < LEAST_TAB ? next + TAB_STOP : next;
}

/** The run that a character is in, asked for from left to right. */
function runFinder(runs: readonly Run[]): (at: number) => Run {
  let run = 0;
  let end = runs[0]?.text.length ?? 0;
  return (at) => {
    while (at >= end && run + 1 < runs.length) {
      run += 1;
      end += runs[run]?.text.length ?? 0;
    }
    return runs[run] ?? { text: "" };
  };
}

/** Rows of one match: an expression that may go back remembers each character, and has no room for some millions. */
const ROWS_AT_ONCE = 1_000;

/** The rows that a line of text takes at so many columns, which longer words are cut at; none for a blank line. */
export function* wrap(runs: readonly Run[], columns: number): Generator<Token[]> {
  const text = runs.length === 1 ? (runs[0]?.text ?? "") : runs.map((run) => run.text).join("");
  const runAt = runFinder(runs);
  let row: Token[] = [];
  let column = 0;
  let end = 0;
  let apart = false;
  const most = Math.max(1, Math.trunc(columns)) * ROWS_AT_ONCE;
  for (const match of text.matchAll(new RegExp(`\\S{1,${most}}|\\t`, "g"))) {
    const gap = match.index - end;
    column += gap;
    end = match.index + match[0].length;
    if (match[0] === "\t") {
      column = afterTab(column);
      apart = true;
      continue;
    }
    apart ||= gap >= APART;
    let piece = match[0];
    if (column + piece.length > columns && column > 0) {
      if (row.length > 0) yield row;
      row = [];
      column = 0;
    }
    const looks = runAt(match.index);
    while (piece.length > columns) {
      yield [{ text: piece.slice(0, columns), column: 0, looks, apart: false }];
      piece = piece.slice(columns);
    }
    row.push({ text: piece, column, looks, apart: apart && row.length > 0 });
    column += piece.length;
    apart = false;
  }
  if (row.length > 0) yield row;
}

/** Rows that boxes are kept for, and how many: a page of prose has some 200,000 places for a word. */
const SHARED_ROWS = 256;
const MOST_SHARED = 300_000;
/** Keys stay whole numbers of 30 bits, which need no memory of their own. */
const SHARED_LENGTH = 256;
const SHARED_COLUMNS = 2 ** 22;

/** Texts that are kept, and how long they are: most words of a long document are a few thousand short ones. */
const MOST_TEXTS = 50_000;
const LONGEST_TEXT = 12;

/**
 * Boxes and texts of one document. Those of the same place on another page, and the same words, are the same object: a
 * file may have millions.
 */
export class Shared {
  readonly #rows: Map<number, Box>[] = [];
  readonly #texts = new Map<string, string>();
  #count = 0;

  /** @param row and column of the page, from 0 @param length columns */
  box(row: number, column: number, length: number): Box {
    if (row >= SHARED_ROWS || length >= SHARED_LENGTH || column >= SHARED_COLUMNS) return gridBox(row, column, length);
    const key = column * SHARED_LENGTH + length;
    const boxes = this.#rows[row] ?? new Map<number, Box>();
    this.#rows[row] = boxes;
    const known = boxes.get(key);
    if (known !== undefined) return known;
    const box = gridBox(row, column, length);
    if (this.#count < MOST_SHARED) boxes.set(key, box);
    this.#count += 1;
    return box;
  }

  text(text: string): string {
    if (text.length > LONGEST_TEXT) return text;
    const known = this.#texts.get(text);
    if (known === undefined && this.#texts.size < MOST_TEXTS) this.#texts.set(text, text);
    return known ?? text;
  }
}

const gridBox = (row: number, column: number, length: number): Box => ({
  left: round(column / COLUMNS_PER_INCH),
  top: round(row / ROWS_PER_INCH),
  right: round((column + length) / COLUMNS_PER_INCH),
  bottom: round((row + 1) / ROWS_PER_INCH),
});

function toWord(token: Token, box: Box, shared: Shared): Word {
  const { looks } = token;
  const text = shared.text(token.text);
  if (!looks.bold && looks.link === undefined) return { text, box };
  return { text, box, ...(looks.bold ? { bold: true } : {}), ...(looks.link ? { link: looks.link } : {}) };
}

/**
 * Tokens on a row of the page as lines, parted where they stand apart. Arrays are made at their size: those that grew
 * hold room for sixteen more, and a table has millions.
 * @param offset column of the row's beginning
 */
export function toLines(tokens: readonly Token[], offset: number, row: number, shared: Shared): Line[] {
  const starts = tokens.flatMap((token, index) => (index === 0 || token.apart ? [index] : []));
  return starts.map((start, index) => {
    const own = tokens.slice(start, starts[index + 1]);
    const words = own.map((token) => toWord(token, shared.box(row, offset + token.column, token.text.length), shared));
    const [first, last] = [own[0], own.at(-1)];
    const begins = first?.column ?? 0;
    const ends = last === undefined ? begins : last.column + last.text.length;
    return { box: shared.box(row, offset + begins, ends - begins), words };
  });
}

/** Splits runs at a character. */
export function splitRuns(runs: readonly Run[], at = "\n"): (readonly Run[])[] {
  if (!runs.some((run) => run.text.includes(at))) return [runs];
  const parts: Run[][] = [[]];
  for (const { text, ...looks } of runs) {
    for (const [index, part] of text.split(at).entries()) {
      if (index > 0) parts.push([]);
      if (part !== "") parts.at(-1)?.push({ text: part, ...looks });
    }
  }
  return parts;
}

/** The text of runs. */
export const runsText = (runs: readonly Run[]): string => runs.map((run) => run.text).join("");
