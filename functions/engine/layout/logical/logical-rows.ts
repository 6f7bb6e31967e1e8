/** Text rows on a grid of 10 columns and 6 rows an inch: words in columns, rows that wrap. */
import type { Box, Line, Word } from "../../../ports/layout.ts";

export const COLUMNS_PER_INCH = 10;
export const ROWS_PER_INCH = 6;
const TAB_STOP_COLUMNS = 8;
/** Three spaces, or a tab, split a row into lines, as columns do. Two spaces are a typist's habit. */
export const MIN_LINE_GAP_COLUMNS = 3;
/** A tab leaves at least this many columns, or its two sides would read as one. */
const MIN_TAB_COLUMNS = 2;

/**
 * Columns beyond the last one that text behind a tab may take: a contents list's page number, a date. On a row of its own
 * it would no longer stand beside what it belongs to.
 */
const MAX_TAB_OVERHANG_COLUMNS = 16;

/** A stretch of text of one style. */
export interface TextRun {
  text: string;
  bold?: boolean;
  /** Link target: http, https, mailto or tel. */
  link?: string;
}

export interface RowToken {
  text: string;
  column: number;
  /** Style of its first character. */
  style: Omit<TextRun, "text">;
  /** A column gap separates it from the token before it on the row. */
  startsLine: boolean;
}

/** Rounds inches to a ten-thousandth. */
export const roundInches = (inches: number): number => Math.round(inches * 10_000) / 10_000;

function columnAfterTab(column: number): number {
  const next = (Math.floor(column / TAB_STOP_COLUMNS) + 1) * TAB_STOP_COLUMNS;
  return next - column < MIN_TAB_COLUMNS ? next + TAB_STOP_COLUMNS : next;
}

/** Returns a function that finds the run of a character. Positions must be asked for from left to right. */
function runFinder(runs: readonly TextRun[]): (at: number) => TextRun {
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

/**
 * Rows of one regular expression match. The engine remembers each character for backtracking and fails at some
 * millions.
 */
const MAX_ROWS_PER_MATCH = 1_000;

/** Wraps a line of text into rows of so many columns. Longer words are cut; a blank line gives no row. */
export function* wrapRuns(runs: readonly TextRun[], columns: number): Generator<RowToken[]> {
  const text = runs.length === 1 ? (runs[0]?.text ?? "") : runs.map((run) => run.text).join("");
  const runAt = runFinder(runs);
  let row: RowToken[] = [];
  let column = 0;
  let end = 0;
  let startsLine = false;
  let isTabbed = false;
  const longest = Math.max(1, Math.trunc(columns)) * MAX_ROWS_PER_MATCH;
  for (const match of text.matchAll(new RegExp(`\\S{1,${longest}}|\\t`, "g"))) {
    const gap = match.index - end;
    column += gap;
    end = match.index + match[0].length;
    if (match[0] === "\t") {
      column = columnAfterTab(column);
      startsLine = true;
      isTabbed = true;
      continue;
    }
    startsLine ||= gap >= MIN_LINE_GAP_COLUMNS;
    let piece = match[0];
    const overhang = startsLine && isTabbed && row.length > 0 ? MAX_TAB_OVERHANG_COLUMNS : 0;
    if (column + piece.length > columns + overhang && column > 0) {
      if (row.length > 0) yield row;
      row = [];
      column = 0;
    }
    const style = runAt(match.index);
    while (piece.length > columns) {
      yield [{ text: piece.slice(0, columns), column: 0, style, startsLine: false }];
      piece = piece.slice(columns);
    }
    row.push({ text: piece, column, style, startsLine: startsLine && row.length > 0 });
    column += piece.length;
    startsLine = false;
    isTabbed = false;
  }
  if (row.length > 0) yield row;
}

/** Limits of the box cache: rows of a page, and boxes. A page of prose has some 200,000 places for a word. */
const MAX_CACHED_ROWS = 256;
const MAX_CACHED_BOXES = 300_000;
/** Keys stay whole numbers of 30 bits, which need no memory of their own. */
const MAX_CACHED_LENGTH_COLUMNS = 256;
const MAX_CACHED_COLUMNS = 2 ** 22;

/**
 * Limits of the text cache: texts, and characters of a text. Most words of a long document are a few thousand short
 * ones.
 */
const MAX_CACHED_TEXTS = 50_000;
const MAX_CACHED_TEXT_LENGTH = 12;

/**
 * Cache of boxes and texts of one document. The same place on another page, and the same word, are one object: a file
 * may have millions.
 */
export class GridCache {
  readonly #rows: Map<number, Box>[] = [];
  readonly #texts = new Map<string, string>();
  #count = 0;

  /** @param row row of the page, from 0 @param column column of the page, from 0 @param length columns */
  box(row: number, column: number, length: number): Box {
    if (row >= MAX_CACHED_ROWS || length >= MAX_CACHED_LENGTH_COLUMNS || column >= MAX_CACHED_COLUMNS)
      return gridBox(row, column, length);
    const key = column * MAX_CACHED_LENGTH_COLUMNS + length;
    const boxes = this.#rows[row] ?? new Map<number, Box>();
    this.#rows[row] = boxes;
    const known = boxes.get(key);
    if (known !== undefined) return known;
    const box = gridBox(row, column, length);
    if (this.#count < MAX_CACHED_BOXES) boxes.set(key, box);
    this.#count += 1;
    return box;
  }

  text(text: string): string {
    if (text.length > MAX_CACHED_TEXT_LENGTH) return text;
    const known = this.#texts.get(text);
    if (known === undefined && this.#texts.size < MAX_CACHED_TEXTS) this.#texts.set(text, text);
    return known ?? text;
  }
}

const gridBox = (row: number, column: number, length: number): Box => ({
  left: roundInches(column / COLUMNS_PER_INCH),
  top: roundInches(row / ROWS_PER_INCH),
  right: roundInches((column + length) / COLUMNS_PER_INCH),
  bottom: roundInches((row + 1) / ROWS_PER_INCH),
});

function toWord(token: RowToken, box: Box, cache: GridCache): Word {
  const { style } = token;
  const text = cache.text(token.text);
  if (!style.bold && style.link === undefined) return { text, box };
  return { text, box, ...(style.bold ? { bold: true } : {}), ...(style.link ? { link: style.link } : {}) };
}

/**
 * Makes lines of the tokens on a row of the page, split at column gaps. Arrays are made at their final size: grown
 * arrays keep room for sixteen more members, and a table has millions.
 * @param offset column where the row begins
 */
export function toLines(tokens: readonly RowToken[], offset: number, row: number, cache: GridCache): Line[] {
  const starts = tokens.flatMap((token, index) => (index === 0 || token.startsLine ? [index] : []));
  return starts.map((start, index) => {
    const own = tokens.slice(start, starts[index + 1]);
    const words = own.map((token) => toWord(token, cache.box(row, offset + token.column, token.text.length), cache));
    const [first, last] = [own[0], own.at(-1)];
    const begins = first?.column ?? 0;
    const ends = last === undefined ? begins : last.column + last.text.length;
    return { box: cache.box(row, offset + begins, ends - begins), words };
  });
}

/** Splits runs at a character. */
export function splitRuns(runs: readonly TextRun[], at = "\n"): (readonly TextRun[])[] {
  if (!runs.some((run) => run.text.includes(at))) return [runs];
  const parts: TextRun[][] = [[]];
  for (const { text, ...style } of runs) {
    for (const [index, part] of text.split(at).entries()) {
      if (index > 0) parts.push([]);
      if (part !== "") parts.at(-1)?.push({ text: part, ...style });
    }
  }
  return parts;
}

/** The text of runs, joined. */
export const textOfRuns = (runs: readonly TextRun[]): string => runs.map((run) => run.text).join("");

/** True when runs hold more than white space. */
export const hasText = (runs: readonly TextRun[]): boolean => runs.some((run) => /\S/.test(run.text));
