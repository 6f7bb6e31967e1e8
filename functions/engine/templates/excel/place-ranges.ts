/** Ranges of cells after rows are repeated: one for each copy of the rows that hold them. */
import { type CellRange, columnLetters, MAX_ROWS, parseRange } from "../../readers/office/xlsx/sheet.ts";
import { blockAt, firstPlace, lastPlace, type PlacedRows } from "./row-layout.ts";

/** All places of a range; a range that holds more than a repeated block grows with it. */
export function placesOf(rows: PlacedRows, range: CellRange): CellRange[] {
  const block = blockAt(rows, range.top);
  if (block !== undefined && range.bottom <= block.last) return block.copies.flatMap((copy) => placesOf(copy, range));
  const top = firstPlace(rows, range.top);
  const bottom = Math.min(lastPlace(rows, range.bottom), MAX_ROWS);
  return top > bottom ? [] : [{ ...range, top, bottom }];
}

/** The range from the first place of its first row to the last of its last one; undefined where no row remains. */
export function spanOfRange(rows: PlacedRows, range: CellRange): CellRange | undefined {
  const top = firstPlace(rows, range.top);
  const bottom = Math.min(lastPlace(rows, range.bottom), MAX_ROWS);
  return top > bottom ? undefined : { ...range, top, bottom };
}

/** Ranges of the same columns below each other become one. */
export function joinRanges(ranges: readonly CellRange[]): CellRange[] {
  const joined: CellRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && last.left === range.left && last.right === range.right && last.bottom + 1 === range.top) {
      last.bottom = range.bottom;
    } else joined.push({ ...range });
  }
  return joined;
}

/** A range as attributes name it: `B3` or `B3:D5`. */
export function rangeText({ top, left, bottom, right }: CellRange): string {
  const from = `${columnLetters(left)}${top}`;
  return top === bottom && left === right ? from : `${from}:${columnLetters(right)}${bottom}`;
}

/** A range in the places of a copy, as text. */
export const placeRange = (rows: PlacedRows, range: CellRange): string => rangeText(spanOfRange(rows, range) ?? range);

/** Whole columns or rows have no cells in their reference. */
const COLUMNS = /^\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}$/;

/** The places of a list of ranges, as `sqref` has it. */
export function placeList(rows: PlacedRows, list: string): string {
  const places = list
    .trim()
    .split(/\s+/)
    .flatMap((text) => {
      const range = parseRange(text);
      if (range !== undefined) return joinRanges(placesOf(rows, range)).map(rangeText);
      return COLUMNS.test(text) ? [text] : [];
    });
  return places.join(" ");
}
