/**
 * Places of a sheet's rows after repeating some of them. A template row of a repeated block has one place in each copy of
 * the block; blocks nest.
 */
import { MAX_ROWS } from "../../readers/office/xlsx/sheet.ts";
import type { TagScope } from "../office/tag-expression.ts";
import type { Loop } from "./loop.ts";

/** Items of the loops that rows are in; undefined for a list that has no item for them. */
export type LoopScopes = ReadonlyMap<Loop | undefined, TagScope | undefined>;

/** One copy of some rows of the template, or the whole sheet. */
export interface PlacedRows {
  /** Rows of the template, from 1. */
  first: number;
  last: number;
  /** Row of the filled sheet that its first row has. */
  start: number;
  /** Repeated or removed blocks among its rows, in order. */
  blocks: PlacedBlock[];
  /** The block that it is a copy of, and its place there; undefined for the whole sheet. */
  copyOf: { block: PlacedBlock; index: number } | undefined;
  scopes: LoopScopes;
  /** Rows of an empty list: they keep their look, and have no values. */
  blank: boolean;
}

export interface PlacedBlock {
  /** Rows of the template, from 1. */
  first: number;
  last: number;
  /** First row of the filled sheet, and number of rows. */
  start: number;
  height: number;
  /** None for removed rows. */
  copies: PlacedRows[];
  /** Rows that contain the block. */
  within: PlacedRows;
  /** Name of the list that repeats it; blocks of one list on two sheets go side by side. */
  list: string;
}

/** The sheet as a whole, without any block. */
export const wholeSheet = (scopes: LoopScopes = new Map()): PlacedRows => ({
  first: 1,
  last: MAX_ROWS,
  start: 1,
  blocks: [],
  copyOf: undefined,
  scopes,
  blank: false,
});

/** The last block that begins at a row or before it. */
function blockBefore(rows: PlacedRows, row: number): PlacedBlock | undefined {
  const { blocks } = rows;
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle]?.first ?? Number.POSITIVE_INFINITY) <= row) low = middle + 1;
    else high = middle;
  }
  return blocks[low - 1];
}

/** First place of a template row among these rows; for a removed one, that of the next row that remains. */
export function firstPlace(rows: PlacedRows, row: number): number {
  const block = blockBefore(rows, row);
  if (block === undefined) return rows.start + row - rows.first;
  if (row > block.last) return block.start + block.height + row - block.last - 1;
  const [copy] = block.copies;
  return copy === undefined ? block.start : firstPlace(copy, row);
}

/** Last place of a template row among these rows; for a removed one, that of the row before it that remains. */
export function lastPlace(rows: PlacedRows, row: number): number {
  const block = blockBefore(rows, row);
  if (block === undefined) return rows.start + row - rows.first;
  if (row > block.last) return block.start + block.height + row - block.last - 1;
  const copy = block.copies.at(-1);
  return copy === undefined ? block.start - 1 : lastPlace(copy, row);
}

/** True for a row that has no place. */
export const isRemoved = (rows: PlacedRows, row: number): boolean => firstPlace(rows, row) > lastPlace(rows, row);

const contains = (rows: PlacedRows, row: number): boolean => row >= rows.first && row <= rows.last;

/** The smallest copy that has the rows of a formula, and this row. */
export function commonRows(rows: PlacedRows, row: number): PlacedRows {
  let at = rows;
  while (at.copyOf !== undefined && !contains(at, row)) at = at.copyOf.block.within;
  return at;
}

/** The copy of rows that begin just below a row, which copies read as the row above themselves. */
export function copyBelow(rows: PlacedRows, row: number): PlacedRows["copyOf"] {
  return row === rows.first - 1 ? rows.copyOf : undefined;
}

/** The outermost block of a sheet that has a row. */
export function blockAt(sheet: PlacedRows, row: number): PlacedBlock | undefined {
  const block = blockBefore(sheet, row);
  return block !== undefined && row <= block.last ? block : undefined;
}

/** The outermost copy that rows belong to. */
export function outermostCopy(rows: PlacedRows): PlacedRows | undefined {
  let at = rows;
  while (at.copyOf !== undefined) {
    const { within } = at.copyOf.block;
    if (within.copyOf === undefined) return at;
    at = within;
  }
  return undefined;
}

/** True where every row keeps its place. */
export const keepsRows = ({ blocks }: PlacedRows): boolean =>
  blocks.every((block) => block.height === block.last - block.first + 1 && block.copies.length <= 1);

/** The innermost first copy that has a row. */
export function copyAt(rows: PlacedRows, row: number): PlacedRows {
  const copy = blockAt(rows, row)?.copies[0];
  return copy === undefined ? rows : copyAt(copy, row);
}
