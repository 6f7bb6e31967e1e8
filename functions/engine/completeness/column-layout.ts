/** The columns that the rows of a list share: where they stand, which of them every row fills, and with what. */

import { middleX, quantile } from "../layout/geometry.ts";
import type { Unit } from "./candidate-rows.ts";
import { type CellKind, isPlaceholder, kindOf } from "./cell-kinds.ts";
import { isSum } from "./subtotal-rows.ts";

interface Column {
  /** Inches: from the leftmost to the rightmost word of its full rows. */
  left: number;
  right: number;
  /** Share of the full rows that fill it. */
  filled: number;
  /** What most of its cells are; undefined where they differ. */
  kind: CellKind | undefined;
}

export interface Frame {
  columns: Column[];
  /** Columns that a row of the list fills. */
  keys: number[];
  /** Rows it was learnt from. */
  size: number;
}

/** A row is full when it fills so much of what the fullest tenth of the rows do: others go on from rows, or title them. */
const FULL = 0.75;
const FULLEST = 0.9;
/** A column belongs to every row when so many of the full rows fill it, and is of a kind when so many cells are. */
const KEY = 0.9;
const OF_KIND = 0.85;
/** Inches that a word may stand outside of its column. */
const OUTSIDE = 0.6;
/** Of a row's words, so many may stand in no column. */
const STRAY = 0.15;

/** Of rows whose cells know their columns (of a table), or that have as many cells as there are columns. */
export function frameOf(units: readonly Unit[]): Frame {
  const rows = units.filter((unit) => !isSum(unit.cells.map(({ text }) => text)));
  const most = quantile(
    rows.map(({ cells }) => cells.length),
    FULLEST,
  );
  const full = rows.filter(({ cells }) => cells.length >= FULL * most);
  const found = new Map<number, { left: number; right: number; count: number; kinds: Map<CellKind, number> }>();
  for (const { cells } of full)
    for (const [at, cell] of cells.entries()) {
      const index = cell.column ?? at;
      const column = found.get(index) ?? { left: cell.left, right: cell.right, count: 0, kinds: new Map() };
      column.left = Math.min(column.left, cell.left);
      column.right = Math.max(column.right, cell.right);
      column.count += 1;
      const kind = kindOf(cell.text);
      column.kinds.set(kind, (column.kinds.get(kind) ?? 0) + 1);
      found.set(index, column);
    }
  const columns = [...found]
    .sort(([a], [b]) => a - b)
    .map(([, { left, right, count, kinds }]): Column => {
      const kind = [...kinds].find(([, times]) => times >= OF_KIND * count)?.[0];
      return { left, right, filled: count / Math.max(1, full.length), kind };
    });
  const keys = columns.flatMap(({ filled }, at) => (filled >= KEY ? [at] : []));
  return { columns, keys, size: full.length };
}

const away = (x: number, { left, right }: Column): number => Math.max(0, left - x, x - right);

/** The column that a word stands in; undefined where it stands in none. */
export function columnAt({ columns }: Frame, { left, right }: { left: number; right: number }): number | undefined {
  let best: number | undefined;
  let nearest = OUTSIDE;
  for (const [at, column] of columns.entries()) {
    // A word's own column is told by any of its edges: numbers keep right, texts left.
    const distance = Math.min(
      away(middleX({ left, right }), column),
      away(left, column) + 0.01,
      away(right, column) + 0.01,
    );
    if (distance >= nearest) continue;
    nearest = distance;
    best = at;
  }
  return best;
}

/** The texts of a row by column; `stray`: the share of its words that stand in none. */
export function cellsIn(frame: Frame, { words }: Unit): { texts: Map<number, string>; stray: number } {
  const texts = new Map<number, string>();
  let stray = 0;
  for (const word of words) {
    const column = columnAt(frame, word);
    if (column === undefined) stray += 1;
    else texts.set(column, texts.has(column) ? `${texts.get(column)} ${word.text}` : word.text);
  }
  return { texts, stray: stray / Math.max(1, words.length) };
}

/** Kinds that say what a column holds; a code may be all digits in one row and not in the next. */
function fitsKind(kind: CellKind | undefined, text: string): boolean {
  if (kind === undefined || kind === "text") return true;
  const own = kindOf(text);
  if (kind === "code") return own === "code" || own === "number";
  return own === kind;
}

/** Whether a row fills the columns that rows of the list fill, with what they hold, or what says that it is not known. */
export function conforms(frame: Frame, unit: Unit, keys: readonly number[] = frame.keys): boolean {
  const { texts, stray } = cellsIn(frame, unit);
  if (stray > STRAY || keys.length === 0) return false;
  const fits = (at: number): boolean => texts.has(at) && fitsKind(frame.columns[at]?.kind, texts.get(at) ?? "");
  const others = keys.filter((at) => !fits(at));
  if (others.length === 0) return true;
  // A row of words and dashes may as well be a heading: what is no text must say that it is a row.
  const isTold = keys.some((at) => fits(at) && (frame.columns[at]?.kind ?? "text") !== "text");
  return isTold && others.every((at) => texts.has(at) && isPlaceholder(texts.get(at) ?? ""));
}

/** Columns of which recognition may have lost the word of one. */
const ENOUGH_COLUMNS = 4;

/** As `conforms`; of a row that was recognised, one cell may be lost where there are several others. */
export function isRow(frame: Frame, unit: Unit, keys: readonly number[] = frame.keys): boolean {
  if (conforms(frame, unit, keys)) return true;
  if (keys.length < ENOUGH_COLUMNS || unit.words.every(({ confidence }) => confidence === 1)) return false;
  const { texts } = cellsIn(frame, unit);
  const filled = keys.filter((at) => texts.has(at));
  return filled.length === keys.length - 1 && conforms(frame, unit, filled);
}

/** Whether each row has a value somewhere: prose in columns has none. */
export const hasValues = ({ columns, keys }: Frame): boolean =>
  keys.some((at) => (columns[at]?.kind ?? "text") !== "text");

/** Whether a frame says enough to tell its rows from others: a value in every row, or several columns. */
export const isTelling = (frame: Frame): boolean => frame.keys.length >= 2 || hasValues(frame);
