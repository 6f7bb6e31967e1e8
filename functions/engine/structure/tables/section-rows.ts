/**
 * Tells lines that stand alone in the first column of a table: labels of sections, and text that continues the cell
 * above.
 */

import { median } from "../../layout/geometry.ts";
import { areValue } from "./figure-cells.ts";
import { type TableLine, type TableWord, textOf } from "./table-parts.ts";
import type { TextRow } from "./text-rows.ts";

/** Share of the distance between rows from which a line is no line of the cell above. */
const MIN_ROW_PITCH_SHARE = 0.93;
/** Indent or outdent that is on purpose. */
const MIN_INDENT_EM = 0.5;
/** Gap between a column that wraps its text and the next column. */
const MAX_WRAPPED_COLUMN_GAP_EM = 8;
/** Share of rows with a line of text beneath from which each row of the table has two lines. */
const MIN_DESCRIBED_ROWS_SHARE = 0.5;
/** The same where no line stands beneath the last row, as none does where the lines are labels of sections. */
const MIN_DESCRIBED_ROWS_SHARE_BEFORE_LAST = 0.66;
const MIN_CAPITALS = 4;

type Row = TextRow<TableWord>;

/** Facts about the first column of a table. */
export interface FirstColumn {
  /** Usual distance from one row to the next, top to top. */
  pitch: number;
  /** Right edge of its text, and left edge of the next column. */
  right: number;
  next: number;
  /** True if lines of text beneath rows belong to them. */
  described: boolean;
}

const firstOf = (row: Row | undefined): TableLine | undefined =>
  row?.pieces.find((piece) => piece.column === 0 && piece.span === 1)?.line;

/** Text that stands alone in the first column and is no value. */
export function loneText({ pieces }: Row): TableLine | undefined {
  const [piece, ...others] = pieces;
  if (piece === undefined || others.length > 0 || piece.column > 0 || piece.span > 1) return undefined;
  return areValue([piece.line]) ? undefined : piece.line;
}

const pitchBetween = (above: Row, below: Row): number => below.box.top - above.box.top;

/**
 * Measures the first column, from the rows below a table's header.
 * @param isRow true for rows that fill enough columns to be no part of another
 */
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
  const [first, last] = [rows[0], rows.at(-1)];
  // With one row in each section, a label stands above the first of them, and none below the last.
  const endsWithText = last !== undefined && loneText(last) !== undefined;
  const least = (endsWithText ? MIN_DESCRIBED_ROWS_SHARE : MIN_DESCRIBED_ROWS_SHARE_BEFORE_LAST) * all;
  column.described = first !== undefined && isRow(first) && followed >= least;
  column.pitch = median(pitches);
  return column;
}

const isBold = ({ words }: TableLine): boolean => words.every((word) => word.bold === true);

const isCapitals = (line: TableLine): boolean => {
  const letters = textOf([line]).replaceAll(/\P{L}/gu, "");
  return letters.length >= MIN_CAPITALS && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
};

const isLowerCase = (line: TableLine): boolean => /^["“„(]?\p{Ll}/u.test(textOf([line]));

/** True if the first word of `line` would not have fitted behind `before`, in a column that ends at `right`. */
function isFull(before: TableLine, line: TableLine, right: number): boolean {
  const [word] = line.words;
  return word !== undefined && right - before.box.right < word.box.right - word.box.left + line.size / 4;
}

/**
 * True for a line set like a heading, and unlike the line above: bold, in capitals, further out, with a colon behind.
 */
function isSetAsLabel(line: TableLine, before: TableLine): boolean {
  if (line.box.left < before.box.left - MIN_INDENT_EM * line.size) return true;
  if (isBold(line) !== isBold(before) || isCapitals(line) !== isCapitals(before))
    return isBold(line) || isCapitals(line);
  return textOf([line]).endsWith(":");
}

/**
 * True if a row with only a line of text in the first column labels the rows below it. It stands a whole row below the
 * one above, and nothing says that it continues that row's text: a lower case letter, an indent that the next row does
 * not have, a line above that is full, or that most rows of the table have such a line.
 */
export function isSection(column: FirstColumn, [before, row, next]: readonly [Row, Row, Row | undefined]): boolean {
  const [line, above] = [loneText(row), firstOf(before)];
  if (line === undefined || next === undefined) return false;
  if (pitchBetween(before, row) < MIN_ROW_PITCH_SHARE * column.pitch) return false;
  // The cell above ended earlier.
  if (above === undefined) return !column.described && !isLowerCase(line);
  if (isLowerCase(line)) return false;
  if (isSetAsLabel(line, above)) return true;
  const below = firstOf(next);
  const [indent, back] = [line.box.left - above.box.left, line.box.left - (below?.box.left ?? line.box.left)];
  if (indent > MIN_INDENT_EM * line.size && back > MIN_INDENT_EM * line.size) return false;
  const wraps = column.next - column.right < MAX_WRAPPED_COLUMN_GAP_EM * line.size;
  return !column.described && !(wraps && isFull(above, line, column.right));
}

/** True for a line of text alone that is set like the text at the beginning of the row below, and is no label of it. */
export function leadsTo(row: Row, below: Row): boolean {
  const [line, next] = [loneText(row), firstOf(below)];
  if (line === undefined || next === undefined) return false;
  return Math.abs(line.box.left - next.box.left) <= MIN_INDENT_EM * line.size && !isSetAsLabel(line, next);
}

/** True if a row with values ends a text that began in the row before it, alone in the first column. */
export function endsText(column: FirstColumn, before: Row, row: Row): boolean {
  const [text, line] = [loneText(before), firstOf(row)];
  if (text === undefined || line === undefined || pitchBetween(before, row) > column.pitch / MIN_ROW_PITCH_SHARE)
    return false;
  return isLowerCase(line) && isFull(text, line, column.right);
}

/** Number of the `count` header rows that head columns: labels of the first section stand below them. */
export function withoutSections(rows: readonly Row[], count: number, isRow: (row: Row) => boolean): number {
  let end = count;
  for (; end > 1; end -= 1) {
    const [before, row, next] = rows.slice(end - 2, end + 1);
    if (before === undefined || row === undefined) break;
    if (!isSection(firstColumnOf(rows.slice(end - 1), isRow), [before, row, next])) break;
  }
  return end;
}
