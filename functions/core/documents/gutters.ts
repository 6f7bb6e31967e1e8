/** The space between columns and between cells: what stands on its two sides tells which of the two it parts. */
import type { Placed, Row } from "./arrange.ts";
import { unionBox } from "./layout.ts";

/** A side of a gutter is running text when its lines fill so much of it, and are so many ems long. */
const PROSE_FILL = 0.55;
const PROSE_LENGTH = 10;
/** The cells of a row stand on one height; lines of two sides do so by chance when fewer than this share of them do. */
const PAIRED = 0.6;
const SAME_HEIGHT = 0.2;
/** Lines no longer than this are values or marks, not a column of their own. */
const NARROW = 4;
export const MIN_COLUMN_ROWS = 3;

export interface Span {
  from: number;
  to: number;
}

export const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** What of `free` none of the lines covers, wide enough for a gutter. */
export function narrow(free: readonly Span[], lines: readonly Placed[], least: number): Span[] {
  let left = free as Span[];
  for (const { box } of lines) {
    const rest: Span[] = [];
    for (const span of left) {
      if (box.right <= span.from || box.left >= span.to) {
        rest.push(span);
        continue;
      }
      if (box.left - span.from >= least) rest.push({ from: span.from, to: box.left });
      if (span.to - box.right >= least) rest.push({ from: box.right, to: span.to });
    }
    left = rest;
  }
  return left;
}

export const isLeftOf = (line: Placed, gutter: Span): boolean => line.box.right <= gutter.from + 1e-6;

/** In ems. */
const typicalLength = (lines: readonly Placed[]): number =>
  median(lines.map((line) => (line.box.right - line.box.left) / line.size));

/** Whether the lines of one side of a gutter are running text that fills its column. */
function isProse(lines: readonly Placed[]): boolean {
  const box = unionBox(lines.map((line) => line.box));
  const typical = median(lines.map((line) => line.box.right - line.box.left));
  return typical >= PROSE_FILL * (box.right - box.left) && typicalLength(lines) >= PROSE_LENGTH;
}

const level = (a: Placed, b: Placed): boolean =>
  Math.abs(a.baseline - b.baseline) <= SAME_HEIGHT * Math.max(a.size, b.size);

export interface Sides {
  prose: boolean;
  /** The lines of one side are but a few letters long. */
  narrow: boolean;
  leftRows: number;
  rightRows: number;
  /** Rows with lines on both sides that stand on one height. */
  paired: number;
}

export function lookAtSides<T extends Placed>(rows: readonly Row<T>[], gutter: Span): Sides {
  // Of further columns beyond, the one next to the gutter speaks for its side.
  const left: T[] = [];
  const right: T[] = [];
  const sides: Sides = { prose: false, narrow: false, leftRows: 0, rightRows: 0, paired: 0 };
  for (const { lines } of rows) {
    const onLeft = lines.filter((line) => isLeftOf(line, gutter));
    const onRight = lines.filter((line) => !isLeftOf(line, gutter));
    const [before, behind] = [onLeft.at(-1), onRight[0]];
    if (before !== undefined) {
      sides.leftRows += 1;
      left.push(before);
    }
    if (behind !== undefined) {
      sides.rightRows += 1;
      right.push(behind);
    }
    if (onLeft.some((line) => onRight.some((other) => level(line, other)))) sides.paired += 1;
  }
  if (left.length > 0 && right.length > 0) {
    sides.prose = isProse(left) && isProse(right);
    sides.narrow = Math.min(typicalLength(left), typicalLength(right)) < NARROW;
  }
  return sides;
}

/** Whether a gutter through these rows parts the cells of rows: labels from values, one cell from the next. */
export function partsCells({ prose, leftRows, rightRows, paired }: Sides): boolean {
  const both = Math.min(leftRows, rightRows);
  return both > 0 && !prose && paired >= PAIRED * both;
}

/** Whether it parts columns that are read one after the other. */
export const partsColumns = (sides: Sides): boolean =>
  Math.min(sides.leftRows, sides.rightRows) >= MIN_COLUMN_ROWS && !sides.narrow && !partsCells(sides);
