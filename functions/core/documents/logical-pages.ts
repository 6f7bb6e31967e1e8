/**
 * Pages for documents that have none (plain text, Word, sheets): a grid of 10 columns and 6 rows an inch on letter
 * pages, so that "right of", "below" and "page 2" mean something. Boxes in inches from the top left corner.
 */
import { JobFailure } from "../errors.ts";
import {
  type Block,
  type Box,
  LAYOUT_VERSION,
  type Layout,
  type Line,
  type Page,
  unionBox,
  type Word,
} from "./layout.ts";

const COLUMNS_PER_INCH = 10;
const ROWS_PER_INCH = 6;
const PAGE_WIDTH = 8.5;
const PAGE_HEIGHT = 11;
export const ROWS_PER_PAGE = 66;
const TAB_STOP = 8;
/** Two spaces are a typist's habit; three, or a tab, part what stands on a row into lines, as columns do. */
const APART = 3;
/** A tab leaves at least so many columns, or its two sides would read as one. */
const LEAST_TAB = 2;

/** Past these a layout is no longer a document that anything can work on: 10 MB of prose are 1.7 million words. */
const MOST_WORDS = 2_200_000;
const MOST_PAGES = 100_000;

/** A stretch of text that looks the same throughout. */
export interface Run {
  text: string;
  bold?: boolean;
}

export interface TableCell {
  /** From 0. */
  column: number;
  /** Columns that it covers. */
  span: number;
  /** Line feeds begin new rows within the cell. */
  runs: readonly Run[];
}

export interface LogicalPagesOptions {
  provider: string;
  /** Columns at which a row of text goes on in the next one. Longer words are cut; pages grow as wide as needed. */
  columns: number;
  /** Rows after which a page ends, form feeds aside. Default 66. */
  rowsPerPage?: number;
  /** 1-based pages to keep; absent: all. */
  pageRange?: readonly number[];
}

interface Token {
  text: string;
  column: number;
  bold: boolean;
  /** Stands apart from what is before it on the row. */
  apart: boolean;
}

const round = (inches: number): number => Math.round(inches * 10_000) / 10_000;

function afterTab(column: number): number {
  const next = (Math.floor(column / TAB_STOP) + 1) * TAB_STOP;
  return next - column < LEAST_TAB ? next + TAB_STOP : next;
}

/** Which characters are bold, asked for from left to right. */
function boldness(runs: readonly Run[]): (at: number) => boolean {
  let run = 0;
  let end = runs[0]?.text.length ?? 0;
  return (at) => {
    while (at >= end && run + 1 < runs.length) {
      run += 1;
      end += runs[run]?.text.length ?? 0;
    }
    return runs[run]?.bold ?? false;
  };
}

/** The rows that a line of text takes at so many columns; none for a blank line. */
function* wrap(runs: readonly Run[], columns: number): Generator<Token[]> {
  const text = runs.length === 1 ? (runs[0]?.text ?? "") : runs.map((run) => run.text).join("");
  const isBold = boldness(runs);
  let row: Token[] = [];
  let column = 0;
  let end = 0;
  let apart = false;
  for (const match of text.matchAll(/\S+|\t/g)) {
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
    const bold = isBold(match.index);
    while (piece.length > columns) {
      yield [{ text: piece.slice(0, columns), column: 0, bold, apart: false }];
      piece = piece.slice(columns);
    }
    row.push({ text: piece, column, bold, apart: apart && row.length > 0 });
    column += piece.length;
    apart = false;
  }
  if (row.length > 0) yield row;
}

function placeToken({ text, column, bold }: Token, offset: number, top: number, bottom: number): Word {
  const left = round((offset + column) / COLUMNS_PER_INCH);
  const box: Box = { left, top, right: round((offset + column + text.length) / COLUMNS_PER_INCH), bottom };
  return bold ? { text, box, bold } : { text, box };
}

/** A line of one word shares its box: most lines of a table are such, and a file may have millions. */
const lineBox = (words: readonly Word[]): Box =>
  words.length === 1 && words[0] !== undefined ? words[0].box : unionBox(words.map((word) => word.box));

function toLines(tokens: readonly Token[], offset: number, row: number): Line[] {
  const top = round(row / ROWS_PER_INCH);
  const bottom = round((row + 1) / ROWS_PER_INCH);
  const groups: Word[][] = [];
  for (const token of tokens) {
    const word = placeToken(token, offset, top, bottom);
    const group = groups.at(-1);
    if (group === undefined || token.apart) groups.push([word]);
    else group.push(word);
  }
  return groups.map((words) => ({ box: lineBox(words), words }));
}

/** Splits runs at line feeds. */
export function splitRuns(runs: readonly Run[]): (readonly Run[])[] {
  if (!runs.some((run) => run.text.includes("\n"))) return [runs];
  const lines: Run[][] = [[]];
  for (const { text, ...looks } of runs) {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, ...looks });
    }
  }
  return lines;
}

/** Cells no wider than this; longer ones go on in the row below. */
const WIDEST_CELL = 60;
const CELL_GAP = APART;

const cellWidth = (cell: TableCell): number =>
  splitRuns(cell.runs).reduce((widest, line) => {
    const width = line.reduce((sum, run) => sum + run.text.length, 0);
    return Math.max(widest, Math.min(width, WIDEST_CELL));
  }, 1);

/** Where each column begins; behind the last, where the table ends. */
function measureColumns(rows: readonly (readonly TableCell[])[]): number[] {
  const widths: number[] = [];
  const wide: TableCell[] = [];
  for (const row of rows) {
    for (const cell of row) {
      while (widths.length < cell.column + cell.span) widths.push(1);
      if (cell.span > 1) wide.push(cell);
      else widths[cell.column] = Math.max(widths[cell.column] ?? 1, cellWidth(cell));
    }
  }
  // A cell over several columns widens the last of them by what it lacks.
  for (const cell of wide.sort((x, y) => x.span - y.span)) {
    const last = cell.column + cell.span - 1;
    const covered = widths.slice(cell.column, last + 1).reduce((sum, width) => sum + width + CELL_GAP, -CELL_GAP);
    widths[last] = (widths[last] ?? 1) + Math.max(cellWidth(cell) - covered, 0);
  }
  const starts = [0];
  for (const width of widths) starts.push((starts.at(-1) ?? 0) + width + CELL_GAP);
  return starts;
}

const tooMuch = (what: string): JobFailure =>
  new JobFailure(`Processing failed: The document has more ${what} than can be processed`);

/** Takes a document's text in reading order and lays it out. @throws JobFailure for more of it than can be kept */
export class LogicalPages {
  readonly #options: LogicalPagesOptions;
  readonly #rowsPerPage: number;
  readonly #wanted: ReadonlySet<number> | undefined;
  readonly #pages: Page[] = [];
  #number = 1;
  #row = 0;
  #words = 0;
  #right = PAGE_WIDTH;
  #blocks: Block[] = [];
  #lines: Line[] = [];

  constructor(options: LogicalPagesOptions) {
    this.#options = options;
    this.#rowsPerPage = options.rowsPerPage ?? ROWS_PER_PAGE;
    this.#wanted = options.pageRange === undefined ? undefined : new Set(options.pageRange);
  }

  /** One line of text, on as many rows as it needs. A blank one ends the block. */
  line(runs: readonly Run[]): void {
    let placed = false;
    for (const tokens of wrap(runs, this.#options.columns)) {
      this.#place([{ tokens, offset: 0 }]);
      placed = true;
    }
    if (placed) return;
    this.endBlock();
    this.#row += 1;
  }

  /** Cells by columns that line up; every cell on a row is a line of its own. */
  table(rows: readonly (readonly TableCell[])[]): void {
    this.endBlock();
    const starts = measureColumns(rows);
    for (const cells of rows) {
      const wrapped = cells.map(({ column, span, runs }) => {
        const offset = starts[column] ?? 0;
        const width = Math.max((starts[column + span] ?? offset) - offset - CELL_GAP, 1);
        const tokens = splitRuns(runs).flatMap((line) => [...wrap(line, width)]);
        return { offset, tokens };
      });
      const height = wrapped.reduce((most, cell) => Math.max(most, cell.tokens.length), 1);
      for (let at = 0; at < height; at += 1) {
        this.#place(wrapped.map(({ offset, tokens }) => ({ offset, tokens: tokens[at] ?? [] })));
      }
    }
    this.endBlock();
  }

  endBlock(): void {
    if (this.#lines.length === 0) return;
    const box = unionBox(this.#lines.map((line) => line.box));
    this.#blocks.push({ kind: "paragraph", box, lines: this.#lines });
    this.#lines = [];
  }

  /** What comes next stands on another page. */
  breakPage(): void {
    this.endBlock();
    if (this.#wanted === undefined || this.#wanted.has(this.#number)) {
      const height = Math.max(PAGE_HEIGHT, round(this.#row / ROWS_PER_INCH));
      const size = { width: round(this.#right), height, unit: "inch", rotation: 0 } as const;
      this.#pages.push({ number: this.#number, ...size, blocks: this.#blocks });
    }
    if (this.#number === MOST_PAGES) throw tooMuch("pages");
    this.#number += 1;
    this.#row = 0;
    this.#right = PAGE_WIDTH;
    this.#blocks = [];
  }

  /** Whether nothing stands on the current page yet. */
  get atTop(): boolean {
    return this.#row === 0;
  }

  /** The layout; the pages take nothing more. */
  finish(): Layout {
    if (!this.atTop || this.#number === 1) this.breakPage();
    const { provider } = this.#options;
    return { v: LAYOUT_VERSION, provider, logicalPages: true, pageCount: this.#number - 1, pages: this.#pages };
  }

  #place(parts: readonly { tokens: readonly Token[]; offset: number }[]): void {
    if (this.#row >= this.#rowsPerPage) this.breakPage();
    if (this.#wanted === undefined || this.#wanted.has(this.#number)) {
      for (const { tokens, offset } of parts) {
        this.#words += tokens.length;
        for (const line of toLines(tokens, offset, this.#row)) {
          this.#lines.push(line);
          this.#right = Math.max(this.#right, line.box.right);
        }
      }
    }
    if (this.#words > MOST_WORDS) throw tooMuch("words");
    this.#row += 1;
  }
}
