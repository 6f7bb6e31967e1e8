/** What rules and fills part, and what only the text does: text rows to rows of a table. */

import type { Box } from "../../../ports/layout.ts";
import { middleX, middleY } from "../../layout/geometry.ts";
import { areValue } from "./figure-cells.ts";
import { findStarts } from "./row-starts.ts";
import type { Rules } from "./rule-positions.ts";
import { isRuledBetween } from "./table-header.ts";
import type { TableWord } from "./table-parts.ts";
import { isAnchor, type TextRow, usualColumns, valueColumnsOf } from "./text-rows.ts";

/** A fill behind a row is less high than this share of the table; a higher one is its background. */
const BACKGROUND = 0.6;

/** The fill behind the first text of a row, where one is: the band that the row is in. */
function bandOf(row: TextRow<TableWord>, table: Box, rules: Rules): Box | undefined {
  const box = row.pieces[0]?.line.box ?? row.box;
  const fill = rules.fillAt(middleX(box), middleY(box))?.box;
  return fill === undefined || fill.bottom - fill.top >= BACKGROUND * (table.bottom - table.top) ? undefined : fill;
}

const isSameBand = (a: Box | undefined, b: Box | undefined, size: number): boolean =>
  a === undefined || b === undefined ? a === b : Math.abs(a.top - b.top) < 0.3 * size;

/** For each text row whether something drawn parts it from the one above. */
function findParted(rows: readonly TextRow<TableWord>[], table: Box, rules: Rules): boolean[] {
  const bands = rows.map((row) => bandOf(row, table, rules));
  return rows.map((row, index) => {
    const before = rows[index - 1];
    if (before === undefined) return true;
    return !isSameBand(bands[index], bands[index - 1], row.size) || isRuledBetween(before.box, row.box, table, rules);
  });
}

/** The number of parts that rules and fills make of these rows. */
export const countParts = (rows: readonly TextRow<TableWord>[], table: Box, rules: Rules): number =>
  findParted(rows, table, rules).filter(Boolean).length;

/** Whether no column has two values: lines of one row's cells, then, where columns of values are known. */
function isOneRow(part: readonly TextRow<TableWord>[], values: ReadonlySet<number>): boolean {
  const filled = part.flatMap((row) =>
    row.pieces.filter((piece) => values.has(piece.column) && areValue([piece.line])),
  );
  return filled.length > 0 && new Set(filled.map((piece) => piece.column)).size === filled.length;
}

/**
 * For each text row whether it begins a row of the table. What is drawn parts rows; between two such places all is one
 * row, wherever its cells' lines stand, unless several rows of text begin there.
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
    const one =
      part.filter((row) => isAnchor(row, usual)).length <= 1 || (parted.includes(true, 1) && isOneRow(part, values));
    part.forEach((_, index) => {
      const text = byText[begin + index] === true;
      starts.push(index === 0 || (text && !one));
    });
    begin = end;
  }
  return starts;
}
