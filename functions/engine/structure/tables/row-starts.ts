/** Tells which text rows begin a row of a table: a cell may hold several lines, its neighbours fewer. */
import { median } from "../../layout/geometry.ts";
import { areValue } from "./figure-cells.ts";
import { endsText, type FirstColumn, firstColumnOf, isSection, leadsTo } from "./section-rows.ts";
import type { TableWord } from "./table-parts.ts";
import { columnsOf, isAnchor, type TextRow, usualColumns, valueColumnsOf } from "./text-rows.ts";

/** Distance of a line from the one above from which they are no lines of one cell, in usual distances of rows. */
const MIN_ROW_DISTANCE_RATIO = 0.9;
/** Gap between lines of one cell, from the foot of one to the head of the next. */
export const MAX_LINE_GAP_EM = 1;
/** Overlap of heights from which texts of two rows stand beside each other. */
export const MIN_BESIDE_OVERLAP_EM = 0.2;
const NEARER_BELOW_RATIO = 1.5;
/** Gap below each row of values, beyond that below each line of text, where the text stands above its values. */
const MIN_AIR_BELOW_VALUES_EM = 0.15;
const MIN_LINES_ABOVE_VALUES = 2;

export const gapBetween = (above: TextRow<TableWord>, below: TextRow<TableWord>): number =>
  below.box.top - above.box.bottom;

/** Facts about all rows, for judging one of them. */
interface RowRhythm {
  usual: number;
  values: ReadonlySet<number>;
  /** Usual gap above rows that begin one. */
  space: number;
  first: FirstColumn;
  /** Rows end with their values: text that wraps stands above them. */
  endsWithValues: boolean;
}

/** Each line of text alone stands nearer to the row below it than any row of values does. */
function endWithValues(rows: readonly TextRow<TableWord>[], isRow: (row: TextRow<TableWord>) => boolean): boolean {
  const below = { text: Number.NEGATIVE_INFINITY, values: Number.POSITIVE_INFINITY };
  let lines = 0;
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1];
    if (next === undefined) return lines >= MIN_LINES_ABOVE_VALUES && isRow(row) && below.text < below.values;
    const gap = gapBetween(row, next);
    if (isRow(row)) below.values = Math.min(below.values, gap - MIN_AIR_BELOW_VALUES_EM * row.size);
    else if (!leadsTo(row, next)) return false;
    else {
      lines += 1;
      below.text = Math.max(below.text, gap);
    }
  }
  return false;
}

function rhythmOf(rows: readonly TextRow<TableWord>[]): RowRhythm {
  const usual = usualColumns(rows);
  const spaces = rows.flatMap((row, index) => {
    const before = rows[index - 1];
    return before !== undefined && isAnchor(row, usual) ? [gapBetween(before, row)] : [];
  });
  const first = firstColumnOf(rows, (row) => isAnchor(row, usual));
  const endsWithValues = endWithValues(rows, (row) => isAnchor(row, usual));
  return { usual, values: valueColumnsOf(rows), space: Math.max(median(spaces), 0), first, endsWithValues };
}

/** True if a row that follows others begins a row of the table. @param taken columns that the row before has filled */
function beginsRow(
  { usual, values, space, first, endsWithValues }: RowRhythm,
  [before, row, next]: readonly [TextRow<TableWord>, TextRow<TableWord>, TextRow<TableWord> | undefined],
  taken: ReadonlySet<number>,
): boolean {
  if (row.pieces.some((piece) => piece.span > 1) || before.pieces.some((piece) => piece.span > 1)) return true;
  if (endsWithValues) return isAnchor(before, usual);
  const own = [...columnsOf(row)];
  const gap = gapBetween(before, row);
  const fresh = own.every((column) => !taken.has(column));
  // Beside the row above rather than below it: cells that are centred, or set a little lower.
  if (fresh && -gap > MIN_BESIDE_OVERLAP_EM * Math.min(row.size, before.size)) return false;
  if (isAnchor(row, usual)) return taken.size > 1 || !endsText(first, before, row);
  if (isSection(first, [before, row, next])) return true;
  if (gap > MAX_LINE_GAP_EM * row.size && gap > MIN_ROW_DISTANCE_RATIO * space) return true;
  if (next !== undefined && isAnchor(next, usual)) {
    // It stands nearer to the row below, and yet is none of its lines: those hang from a row's first.
    if (gap > NEARER_BELOW_RATIO * Math.max(gapBetween(row, next), 0) + MIN_BESIDE_OVERLAP_EM * row.size) return true;
  }
  const valued = row.pieces.filter(({ column, line }) => values.has(column) && areValue([line]));
  // A number in the first column counts the rows.
  if (own.length > 1 && valued.some(({ column }) => column === 0 && !taken.has(0))) return true;
  return valued.length > 0 && valued.every(({ column }) => taken.has(column));
}

/**
 * For each text row: true if it begins a row of the table. Other rows continue cells of the row before: they have text
 * in few columns, no value where that row has one already, and stand as close as lines do; or they stand beside it,
 * lower.
 */
export function findStarts(rows: readonly TextRow<TableWord>[]): boolean[] {
  const rhythm = rhythmOf(rows);
  let taken = new Set<number>();
  return rows.map((row, index) => {
    const before = rows[index - 1];
    const starts = before === undefined || beginsRow(rhythm, [before, row, rows[index + 1]], taken);
    if (starts) taken = columnsOf(row);
    else for (const column of columnsOf(row)) taken.add(column);
    return starts;
  });
}
