/** Rows of text whose pieces stand in the columns of a table. */
import type { Box } from "../../../ports/layout.ts";
import { median } from "../../layout/geometry.ts";
import { groupIntoRows } from "../line-rows.ts";
import { areValue } from "./figure-cells.ts";
import type { TableLine, TableWord } from "./table-parts.ts";

/** A part of a line in its column. */
export interface RowPiece<W extends TableWord> {
  column: number;
  /** Number of columns that it reaches over. */
  span: number;
  line: TableLine<W>;
}

/** Pieces at one height, left to right. */
export interface TextRow<W extends TableWord> {
  box: Box;
  size: number;
  pieces: RowPiece<W>[];
}

/** A column: the span of its text so far. */
export interface ColumnTrack {
  left: number;
  right: number;
}

/** Lines of a page at one height, left to right. */
export interface PageRow<W extends TableWord> {
  lines: TableLine<W>[];
  box: TextRow<W>["box"];
  size: number;
}

/** Rows that are examined for columns of values. */
const MAX_EXAMINED_ROWS = 100;

/** Share of the usual columns in which a row has text. */
const MIN_FILLED_COLUMNS_SHARE = 0.5;

/** Groups pieces into rows by height. */
export function groupPieces<W extends TableWord>(pieces: readonly RowPiece<W>[]): TextRow<W>[] {
  const placed = pieces.map((piece) => ({ ...piece.line, piece }));
  return groupIntoRows(placed).map(({ lines, box, size }) => ({ box, size, pieces: lines.map((line) => line.piece) }));
}

/** The columns that a row has text in; of a piece over several, the first. */
export function columnsOf(row: TextRow<TableWord>): Set<number> {
  const columns = new Set<number>();
  for (const piece of row.pieces) columns.add(piece.column);
  return columns;
}

/** The columns that hold values in most of their lines. */
export function valueColumnsOf(rows: readonly TextRow<TableWord>[]): Set<number> {
  const counts = new Map<number, [values: number, all: number]>();
  for (const row of rows.slice(0, MAX_EXAMINED_ROWS))
    for (const { column, line } of row.pieces) {
      const [values, all] = counts.get(column) ?? [0, 0];
      counts.set(column, [values + (areValue([line]) ? 1 : 0), all + 1]);
    }
  return new Set([...counts].filter(([, [values, all]]) => values >= 0.6 * all).map(([column]) => column));
}

/** True if `row` fills enough columns to begin a row of the table. */
export function isAnchor(row: TextRow<TableWord>, usual: number): boolean {
  return columnsOf(row).size >= Math.max(2, MIN_FILLED_COLUMNS_SHARE * usual);
}

/** Median number of columns with text, of rows with two or more. */
export const usualColumns = (rows: readonly TextRow<TableWord>[]): number =>
  median(rows.map((row) => columnsOf(row).size).filter((count) => count > 1));

export const copyTracks = (tracks: readonly ColumnTrack[]): ColumnTrack[] => tracks.map((track) => ({ ...track }));
