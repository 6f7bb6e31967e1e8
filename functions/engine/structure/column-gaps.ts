import { median, unionBox } from "../layout/geometry.ts";
import type { Placed, Row } from "./line-rows.ts";

/** A side of a gutter is running text when its lines fill so much of it, and are so many ems long. */
const PROSE_FILL = 0.55;
const PROSE_LENGTH = 10;
/** The cells of a row stand on one height; lines of two sides do so by chance when fewer than this share of them do. */
const PAIRED = 0.6;
const SAME_HEIGHT = 0.2;
/** Lines no longer than this are values or marks, not a column of their own. */
const NARROW = 4;
export const MIN_COLUMN_ROWS = 3;
/** Beside an aside: lines so many ems long, of which so many fill so much of their column, as wrapped text does. */
const BODY_LENGTH = 20;
const BODY_FILL = 0.8;
const BODY_LINES = 0.7;
/** An aside's lines are words, no marks or numbers of lines, and so much shorter. */
const ASIDE_LENGTH = 2;
const ASIDE_WIDTH = 0.5;
/** Type is of another size when it differs by so much; lines follow each other when so few are left out between them. */
const OTHER_SIZE = 0.04;
const FOLLOWING = 1.5;

export interface Span {
  from: number;
  to: number;
}

/**
 * What of `free` none of the lines covers, wide enough for a gutter. A large heading beside a column asks no more space
 * of that than its own type does.
 * @param gutter the least width, in ems of the line that the gutter ends at
 */
export function narrow(free: readonly Span[], lines: readonly Placed[], gutter: number): Span[] {
  let left = free as Span[];
  for (const { box, size } of lines) {
    // Most lines cover nothing of what is left: columns are looked for down whole pages.
    if (!left.some((span) => box.right > span.from && box.left < span.to)) continue;
    const least = gutter * size;
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

/** Whether the lines of one side of a gutter are running text that fills its column. @param length typical, in ems */
function isProse(lines: readonly Placed[], length: number): boolean {
  if (length < PROSE_LENGTH) return false;
  const box = unionBox(lines.map((line) => line.box));
  const typical = median(lines.map((line) => line.box.right - line.box.left));
  return typical >= PROSE_FILL * (box.right - box.left);
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
  /** It parts cells, as far as these rows tell, but one side is running text. */
  body: boolean;
  /** One side is a narrow column beside running text. */
  aside: boolean;
}

/** A side of a gutter: of each row that has text there the line next to the gutter. */
interface Side<T extends Placed> {
  lines: T[];
  /** More lines than that: further columns. */
  several: boolean;
  /** From the first to the last row that has text there. */
  from: number;
  to: number;
}

const newSide = <T extends Placed>(): Side<T> => ({ lines: [], several: false, from: -1, to: -1 });

function addTo<T extends Placed>(side: Side<T>, line: T | undefined, row: number, count: number): void {
  if (line === undefined) return;
  side.lines.push(line);
  side.several ||= count > 1;
  if (side.from < 0) side.from = row;
  side.to = row;
}

/** Running text that was wrapped: most of its long lines reach to the end of the column. */
function isBody<T extends Placed>({ lines, several }: Side<T>): boolean {
  if (several || typicalLength(lines) < BODY_LENGTH) return false;
  const { left, right } = unionBox(lines.map((line) => line.box));
  const full = lines.filter(({ box }) => box.right - box.left >= BODY_FILL * (right - left));
  return full.length >= BODY_LINES * lines.length;
}

/**
 * Whether `side` is a column of its own beside running text, though its lines stand on one height with those: lines that
 * follow each other, in another size of type, or beside the beginning of a text that goes on at least as long without
 * them. Labels of what stands beside them are of its size, or each stands where that begins.
 */
function isAside<T extends Placed>(side: Side<T>, body: Side<T>): boolean {
  const count = side.lines.length;
  if (count < MIN_COLUMN_ROWS || side.to - side.from >= FOLLOWING * count || !isBody(body)) return false;
  const length = typicalLength(side.lines);
  if (length < ASIDE_LENGTH || length > ASIDE_WIDTH * typicalLength(body.lines)) return false;
  const [size, other] = [side, body].map(({ lines }) => median(lines.map((line) => line.size)));
  if (size !== undefined && other !== undefined && Math.abs(size - other) > OTHER_SIZE * other) return true;
  return body.lines.length >= 2 * count;
}

/** Whether lines on both sides of a gutter stand on one height. */
const isPaired = (lines: readonly Placed[], gutter: Span): boolean =>
  lines.some((line) => isLeftOf(line, gutter) && lines.some((other) => !isLeftOf(other, gutter) && level(line, other)));

export function lookAtSides<T extends Placed>(rows: readonly Row<T>[], gutter: Span): Sides {
  // Of further columns beyond, the one next to the gutter speaks for its side.
  const [left, right] = [newSide<T>(), newSide<T>()];
  let paired = 0;
  rows.forEach(({ lines }, row) => {
    let onLeft = 0;
    let before: T | undefined;
    let behind: T | undefined;
    for (const line of lines) {
      if (isLeftOf(line, gutter)) {
        onLeft += 1;
        before = line;
      } else behind ??= line;
    }
    addTo(left, before, row, onLeft);
    addTo(right, behind, row, lines.length - onLeft);
    if (before !== undefined && behind !== undefined && isPaired(lines, gutter)) paired += 1;
  });
  const [leftRows, rightRows] = [left.lines.length, right.lines.length];
  const sides: Sides = { prose: false, narrow: false, leftRows, rightRows, paired, body: false, aside: false };
  if (leftRows === 0 || rightRows === 0) return sides;
  const [leftLength, rightLength] = [typicalLength(left.lines), typicalLength(right.lines)];
  sides.prose = isProse(left.lines, leftLength) && isProse(right.lines, rightLength);
  sides.narrow = Math.min(leftLength, rightLength) < NARROW;
  const cells = partsCells(sides);
  sides.body = cells && (isBody(left) || isBody(right));
  sides.aside = (sides.narrow || cells) && (isAside(left, right) || isAside(right, left));
  return sides;
}

/** Whether a gutter through these rows parts the cells of rows: labels from values, one cell from the next. */
export function partsCells({ prose, aside, leftRows, rightRows, paired }: Sides): boolean {
  const both = Math.min(leftRows, rightRows);
  return both > 0 && !prose && !aside && paired >= PAIRED * both;
}

/** Whether it parts columns that are read one after the other. */
export const partsColumns = (sides: Sides): boolean =>
  Math.min(sides.leftRows, sides.rightRows) >= MIN_COLUMN_ROWS && (sides.aside || !sides.narrow) && !partsCells(sides);
