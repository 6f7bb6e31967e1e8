/** The columns that the rows of a list share: their positions, which of them every row fills, and their kinds. */

import { middleX, quantile } from "../../layout/geometry.ts";
import type { Token } from "../view/tokens.ts";
import { type CandidateRow, wordEdges } from "./candidate-rows.ts";
import { type CellKind, cellKind, isPlaceholder } from "./cell-kinds.ts";
import { isSumRow } from "./sum-rows.ts";

interface Column {
  /** Inches: from the leftmost to the rightmost word of the full rows. */
  left: number;
  right: number;
  /** Share of the full rows that fill this column. */
  filledShare: number;
  /** The kind of most of its cells; undefined where kinds differ. */
  kind: CellKind | undefined;
}

export interface ColumnLayout {
  columns: Column[];
  /** Indexes of the columns that every row of the list fills. */
  keyColumns: number[];
  /** Number of full rows that the layout was learnt from. */
  rowCount: number;
}

/** Tolerance, in inches, for edges of one column in different rows. */
export const SAME_EDGE_INCHES = 0.08;
/** A row is full with this share of the cells of the fullest tenth of the rows. Other rows continue or title them. */
const FULL_ROW_CELL_SHARE = 0.75;
const FULLEST_ROWS_QUANTILE = 0.9;
/** Share of the full rows that fill a key column, and share of a column's cells that decide its kind. */
const MIN_KEY_COLUMN_SHARE = 0.9;
const MIN_SAME_KIND_SHARE = 0.85;
/** Distance, in inches, at which a word still belongs to a column. */
const MAX_OUTSIDE_COLUMN_INCHES = 0.6;
/** Share of a row's words that may stand outside all columns. */
const MAX_STRAY_WORD_SHARE = 0.15;

/** Learns the columns from table rows (whose cells know their columns), or from rows with one cell per column. */
export function columnLayoutOf(candidates: readonly CandidateRow[]): ColumnLayout {
  const rows = candidates.filter((row) => !isSumRow(row.cells.map(({ text }) => text)));
  const most = quantile(
    rows.map(({ cells }) => cells.length),
    FULLEST_ROWS_QUANTILE,
  );
  const full = rows.filter(({ cells }) => cells.length >= FULL_ROW_CELL_SHARE * most);
  const found = new Map<number, { left: number; right: number; count: number; kinds: Map<CellKind, number> }>();
  for (const { cells } of full)
    for (const [at, cell] of cells.entries()) {
      const index = cell.column ?? at;
      const column = found.get(index) ?? { left: cell.left, right: cell.right, count: 0, kinds: new Map() };
      column.left = Math.min(column.left, cell.left);
      column.right = Math.max(column.right, cell.right);
      column.count += 1;
      const kind = cellKind(cell.text);
      column.kinds.set(kind, (column.kinds.get(kind) ?? 0) + 1);
      found.set(index, column);
    }
  const columns = [...found]
    .sort(([a], [b]) => a - b)
    .map(([, { left, right, count, kinds }]): Column => {
      const kind = [...kinds].find(([, times]) => times >= MIN_SAME_KIND_SHARE * count)?.[0];
      return { left, right, filledShare: count / Math.max(1, full.length), kind };
    });
  const keys = columns.flatMap(({ filledShare }, at) => (filledShare >= MIN_KEY_COLUMN_SHARE ? [at] : []));
  return { columns, keyColumns: keys, rowCount: full.length };
}

const distanceOutside = (x: number, { left, right }: Column): number => Math.max(0, left - x, x - right);

/** The column that a word stands in; undefined outside all columns. */
export function columnAt(
  { columns }: ColumnLayout,
  { left, right }: { left: number; right: number },
): number | undefined {
  let best: number | undefined;
  let nearest = MAX_OUTSIDE_COLUMN_INCHES;
  for (const [at, column] of columns.entries()) {
    // Any edge may decide a word's column: numbers align right, texts left.
    const distance = Math.min(
      distanceOutside(middleX({ left, right }), column),
      distanceOutside(left, column) + 0.01,
      distanceOutside(right, column) + 0.01,
    );
    if (distance >= nearest) continue;
    nearest = distance;
    best = at;
  }
  return best;
}

/** The words of a row by column, and the share of its words outside all columns. */
export function wordsByColumn(
  columnLayout: ColumnLayout,
  row: CandidateRow,
): { words: Map<number, Token[]>; strayWordShare: number } {
  const words = new Map<number, Token[]>();
  let strayWords = 0;
  for (const word of row.words) {
    const column = columnAt(columnLayout, wordEdges(row, word));
    if (column === undefined) {
      strayWords += 1;
      continue;
    }
    const own = words.get(column);
    if (own === undefined) words.set(column, [word]);
    else own.push(word);
  }
  return { words, strayWordShare: strayWords / Math.max(1, row.words.length) };
}

/** The texts of a row by column, and the share of its words outside all columns. */
export function textsByColumn(
  columnLayout: ColumnLayout,
  row: CandidateRow,
): { texts: Map<number, string>; strayWordShare: number } {
  const { words, strayWordShare } = wordsByColumn(columnLayout, row);
  const texts = new Map<number, string>();
  for (const [column, own] of words) texts.set(column, own.map(({ text }) => text).join(" "));
  return { texts, strayWordShare };
}

/** A text is of a column's kind. A code may consist of digits only in some rows. */
function fitsKind(kind: CellKind | undefined, text: string): boolean {
  if (kind === undefined || kind === "text") return true;
  const own = cellKind(text);
  if (kind === "code") return own === "code" || own === "number";
  return own === kind;
}

/** A row fills all key columns with their kinds of values, or with placeholders. */
export function fitsColumns(
  columnLayout: ColumnLayout,
  row: CandidateRow,
  keys: readonly number[] = columnLayout.keyColumns,
): boolean {
  const { texts, strayWordShare } = textsByColumn(columnLayout, row);
  if (strayWordShare > MAX_STRAY_WORD_SHARE || keys.length === 0) return false;
  const fits = (at: number): boolean => texts.has(at) && fitsKind(columnLayout.columns[at]?.kind, texts.get(at) ?? "");
  const others = keys.filter((at) => !fits(at));
  if (others.length === 0) return true;
  // A row of words and placeholders may be a heading: at least one value that is no text must mark it as a row.
  const isTold = keys.some((at) => fits(at) && (columnLayout.columns[at]?.kind ?? "text") !== "text");
  return isTold && others.every((at) => texts.has(at) && isPlaceholder(texts.get(at) ?? ""));
}

/** Minimum key columns of which recognition may have lost one cell. */
const MIN_COLUMNS_FOR_LOST_CELL = 4;

/** Like `fitsColumns`, but a recognised row with enough key columns may lack one cell. */
export function fitsColumnsButOne(
  columnLayout: ColumnLayout,
  row: CandidateRow,
  keys: readonly number[] = columnLayout.keyColumns,
): boolean {
  if (fitsColumns(columnLayout, row, keys)) return true;
  if (keys.length < MIN_COLUMNS_FOR_LOST_CELL || row.words.every(({ confidence }) => confidence === 1)) return false;
  const { texts } = textsByColumn(columnLayout, row);
  const filled = keys.filter((at) => texts.has(at));
  return filled.length === keys.length - 1 && fitsColumns(columnLayout, row, filled);
}

/** Some key column holds values; columns of prose hold none. */
export const hasValueColumn = ({ columns, keyColumns }: ColumnLayout): boolean =>
  keyColumns.some((at) => (columns[at]?.kind ?? "text") !== "text");

/** The layout tells its rows from others: each row has a value, or several columns. */
export const isDistinctive = (columnLayout: ColumnLayout): boolean =>
  columnLayout.keyColumns.length >= 2 || hasValueColumn(columnLayout);
