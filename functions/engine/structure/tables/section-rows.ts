/** Lines that stand alone in the first column of a table: labels of sections, and what goes on with the cell above. */

import { median } from "../../layout/geometry.ts";
import { areValue } from "./figure-cells.ts";
import { type TableLine, type TableWord, textOf } from "./table-parts.ts";
import type { TextRow } from "./text-rows.ts";

/** A line as far below the one above as rows are from each other is no line of its cell; of that distance, so much. */
const ROW_PITCH = 0.93;
/** What stands so much further in or out, in ems, is set so on purpose. */
const INDENT = 0.5;
/** A column that wraps its text ends no further from the next column, in ems. */
const WRAP_SPACE = 8;
/** When so many rows have a line of text beneath, each row of the table has two lines. */
const DESCRIBED = 0.5;
const LEAST_CAPITALS = 4;

type Row = TextRow<TableWord>;

/** What is known of the first column of a table. */
export interface FirstColumn {
  /** The usual distance from a row to the next, from head to head. */
  pitch: number;
  /** Where its text ends, and where the next column begins. */
  right: number;
  next: number;
  /** Lines of text beneath rows are theirs. */
  described: boolean;
}

const firstOf = (row: Row | undefined): TableLine | undefined =>
  row?.pieces.find((piece) => piece.column === 0 && piece.span === 1)?.line;

/** The text that stands alone in the first column, and is no value. */
export function loneText({ pieces }: Row): TableLine | undefined {
  const [piece, ...others] = pieces;
  if (piece === undefined || others.length > 0 || piece.column > 0 || piece.span > 1) return undefined;
  return areValue([piece.line]) ? undefined : piece.line;
}

const pitchBetween = (above: Row, below: Row): number => below.box.top - above.box.top;

/** Looks at the rows below a table's header; `isRow`: those that fill enough columns to be no part of another. */
export function firstColumnOf(rows: readonly Row[], isRow: (row: Row) => boolean): FirstColumn {
  const pitches: number[] = [];
  const column: FirstColumn = { pitch: 0, right: -Infinity, next: Infinity, described: false };
  let followed = 0;
  let all = 0;
  rows.forEach((row, index) => {
    const [before, below] = [rows[index - 1], rows[index + 1]];
    column.right = Math.max(column.right, firstOf(row)?.box.right ?? -Infinity);
    for (const piece of row.pieces) if (piece.column > 0) column.next = Math.min(column.next, piece.line.box.left);
    if (!isRow(row)) return;
    all += 1;
    if (before !== undefined) pitches.push(pitchBetween(before, row));
    if (below !== undefined && loneText(below) !== undefined) followed += 1;
  });
  const [first] = rows;
  // Where each section has one row, its label stands above the first of them.
  column.described = first !== undefined && isRow(first) && followed >= DESCRIBED * all;
  column.pitch = median(pitches);
  return column;
}

const isBold = ({ words }: TableLine): boolean => words.every((word) => word.bold === true);

const isCapitals = (line: TableLine): boolean => {
  const letters = textOf([line]).replaceAll(/\P{L}/gu, "");
  return letters.length >= LEAST_CAPITALS && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
};

const isLowerCase = (line: TableLine): boolean => /^["“„(]?\p{Ll}/u.test(textOf([line]));

/** Whether the first word of `line` would not have stood behind `before`, in a column that ends at `right`. */
function isFull(before: TableLine, line: TableLine, right: number): boolean {
  const [word] = line.words;
  return word !== undefined && right - before.box.right < word.box.right - word.box.left + line.size / 4;
}

/** Set as headings are, and not as the line above: bold, in capitals, further out, with a colon behind. */
function isSetAsLabel(line: TableLine, before: TableLine): boolean {
  if (line.box.left < before.box.left - INDENT * line.size) return true;
  if (isBold(line) !== isBold(before) || isCapitals(line) !== isCapitals(before))
    return isBold(line) || isCapitals(line);
  return textOf([line]).endsWith(":");
}

/**
 * Whether a row that is but a line of text in the first column labels what is below it. It stands a whole row below the
 * one above, and nothing says that it goes on with that row's text: a lower case letter, an indent that the next row has
 * not, a line above that is full, or that most rows of the table have such a line.
 */
export function isSection(column: FirstColumn, [before, row, next]: readonly [Row, Row, Row | undefined]): boolean {
  const [line, above] = [loneText(row), firstOf(before)];
  if (line === undefined || next === undefined) return false;
  if (pitchBetween(before, row) < ROW_PITCH * column.pitch) return false;
  // The cell above ended earlier.
  if (above === undefined) return !column.described && !isLowerCase(line);
  if (isLowerCase(line)) return false;
  if (isSetAsLabel(line, above)) return true;
  const below = firstOf(next);
  const [indent, back] = [line.box.left - above.box.left, line.box.left - (below?.box.left ?? line.box.left)];
  if (indent > INDENT * line.size && back > INDENT * line.size) return false;
  const wraps = column.next - column.right < WRAP_SPACE * line.size;
  return !column.described && !(wraps && isFull(above, line, column.right));
}

/** Whether a row with values ends a text that began in the row before it, alone in the first column. */
export function endsText(column: FirstColumn, before: Row, row: Row): boolean {
  const [text, line] = [loneText(before), firstOf(row)];
  if (text === undefined || line === undefined || pitchBetween(before, row) > column.pitch / ROW_PITCH) return false;
  return isLowerCase(line) && isFull(text, line, column.right);
}

/** How many of the rows that head columns, of `count`, do so: labels of the first section stand below them. */
export function withoutSections(rows: readonly Row[], count: number, isRow: (row: Row) => boolean): number {
  let end = count;
  for (; end > 1; end -= 1) {
    const [before, row, next] = rows.slice(end - 2, end + 1);
    if (before === undefined || row === undefined) break;
    if (!isSection(firstColumnOf(rows.slice(end - 1), isRow), [before, row, next])) break;
  }
  return end;
}
