/** Groups text rows into rows of a table by rules and fills, and by text. */

import type { Box } from "../../../ports/layout.ts";
import { middleX, middleY } from "../../layout/geometry.ts";
import { areValue } from "./figure-cells.ts";
import { findStarts, gapBetween, MAX_LINE_GAP_EM } from "./row-starts.ts";
import type { Rules } from "./rule-positions.ts";
import { isRuledBetween } from "./table-header.ts";
import type { TableWord } from "./table-parts.ts";
import { isAnchor, type TextRow, usualColumns, valueColumnsOf } from "./text-rows.ts";

/** Share of the table's height from which a fill is its background, not a row's. */
const MIN_BACKGROUND_HEIGHT_SHARE = 0.6;
/** Share of the table's width that a row's fill covers; narrower ones mark a cell or a word. */
const MIN_BAND_WIDTH_SHARE = 0.5;

/** Rows with a value in a place where rules part others, from which they are no lines of one row. */
const MIN_VALUED_ROWS = 3;

/** The fill behind the first text of a row, if any: the band that the row is in. */
function bandOfRow(row: TextRow<TableWord>, table: Box, rules: Rules): Box | undefined {
  const box = row.pieces[0]?.line.box ?? row.box;
  const fill = rules.fillAt(middleX(box), middleY(box))?.box;
  if (fill === undefined) return undefined;
  const isBackground = fill.bottom - fill.top >= MIN_BACKGROUND_HEIGHT_SHARE * (table.bottom - table.top);
  return isBackground || fill.right - fill.left < MIN_BAND_WIDTH_SHARE * (table.right - table.left) ? undefined : fill;
}

const isSameBand = (a: Box | undefined, b: Box | undefined, size: number): boolean =>
  a === undefined || b === undefined ? a === b : Math.abs(a.top - b.top) < 0.3 * size;

/** For each text row: true if something drawn parts it from the one above. */
function findParted(rows: readonly TextRow<TableWord>[], table: Box, rules: Rules): boolean[] {
  const bands = rows.map((row) => bandOfRow(row, table, rules));
  return rows.map((row, index) => {
    const before = rows[index - 1];
    if (before === undefined) return true;
    return !isSameBand(bands[index], bands[index - 1], row.size) || isRuledBetween(before.box, row.box, table, rules);
  });
}

/** Number of parts that rules and fills make of these rows. */
export const countParts = (rows: readonly TextRow<TableWord>[], table: Box, rules: Rules): number =>
  findParted(rows, table, rules).filter(Boolean).length;

/** True if lines stand so far apart that none of them wraps a text. */
const areApart = (part: readonly TextRow<TableWord>[]): boolean =>
  part.length > 1 &&
  part.every((row, at) => at === 0 || gapBetween(part[at - 1] ?? row, row) > MAX_LINE_GAP_EM * row.size);

/** True if no column has two values: then the rows are lines of one row's cells, where columns of values are known. */
function isOneRow(part: readonly TextRow<TableWord>[], values: ReadonlySet<number>): boolean {
  const filled = part.flatMap((row) =>
    row.pieces.filter((piece) => values.has(piece.column) && areValue([piece.line])),
  );
  return filled.length > 0 && new Set(filled.map((piece) => piece.column)).size === filled.length;
}

/** True if a row has text in two columns or more, with a value in one of those that have values. */
const hasValue = (row: TextRow<TableWord>, values: ReadonlySet<number>): boolean =>
  row.pieces.length > 1 && row.pieces.some(({ column, line }) => values.has(column) && areValue([line]));

/**
 * For each text row: true if it begins a row of the table. Drawn lines part rows; between two such places everything is
 * one row, wherever its cells' lines stand, unless several rows of text begin there.
 */
export function findRowStarts(rows: readonly TextRow<TableWord>[], table: Box, rules: Rules): boolean[] {
  const parted = findParted(rows, table, rules);
  const byText = findStarts(rows);
  const usual = usualColumns(rows);
  const values = valueColumnsOf(rows);
  const starts: boolean[] = [];
  let begin = 0;
  for (let end = 1; end <= rows.length; end += 1) {
    if (end < rows.length && parted[end] !== true) continue;
    const part = rows.slice(begin, end);
    const anchors = part.filter((row) => isAnchor(row, usual)).length;
    const valued = part.filter((row, index) => byText[begin + index] === true && hasValue(row, values)).length;
    const one = (anchors <= 1 && valued < MIN_VALUED_ROWS) || (parted.includes(true, 1) && isOneRow(part, values));
    const isOne = one && !areApart(part);
    part.forEach((_, index) => {
      const text = byText[begin + index] === true;
      starts.push(index === 0 || (text && !isOne));
    });
    begin = end;
  }
  return starts;
}
