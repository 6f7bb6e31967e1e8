/** Judges gaps between columns: which part columns of running text, and which the cells of rows. */
import { median, unionBox } from "../layout/geometry.ts";
import type { LineRow, PlacedLine } from "./line-rows.ts";

/**
 * One side of a gap is running text from this share of the column that its lines fill, and from this length of its
 * lines.
 */
const MIN_PROSE_FILL_SHARE = 0.55;
const MIN_PROSE_LENGTH_EM = 10;
/**
 * Share of the rows whose lines on both sides stand at one height, from which they are cells; fewer do so by chance.
 * And the difference of heights, in ems.
 */
const MIN_PAIRED_ROWS_SHARE = 0.6;
const SAME_HEIGHT_EM = 0.2;
/** Length of lines up to which they are values or marks, not a column of their own. */
const MAX_NARROW_LENGTH_EM = 4;
export const MIN_COLUMN_ROWS = 3;
/**
 * Wrapped text beside an aside: length of its lines, share of the column that a full line fills, and share of full
 * lines.
 */
const MIN_BODY_LENGTH_EM = 20;
const FULL_LINE_SHARE = 0.8;
const MIN_FULL_LINES_SHARE = 0.7;
/**
 * Length of an aside's lines, which are words, no marks or line numbers; and their length relative to the body's lines.
 */
const MIN_ASIDE_LENGTH_EM = 2;
const MAX_ASIDE_LENGTH_SHARE = 0.5;
/**
 * Difference of type sizes, as a share, from which they differ; and rows per line up to which lines follow each other.
 */
const OTHER_SIZE_SHARE = 0.04;
const MAX_ROWS_PER_LINE = 1.5;

export interface ColumnGap {
  from: number;
  to: number;
}

/**
 * The parts of `free` that no line covers and that are wide enough for a gap. A large heading beside a column needs no
 * wider gap than its own type does.
 * @param gap least width, in ems of the line that the gap ends at
 */
export function withoutLines(free: readonly ColumnGap[], lines: readonly PlacedLine[], gap: number): ColumnGap[] {
  let left = free as ColumnGap[];
  for (const { box, size } of lines) {
    // Most lines cover nothing of the rest: columns are searched for down whole pages.
    if (!left.some((span) => box.right > span.from && box.left < span.to)) continue;
    const least = gap * size;
    const rest: ColumnGap[] = [];
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

export const isLeftOf = (line: PlacedLine, gap: ColumnGap): boolean => line.box.right <= gap.from + 1e-6;

/** Median length of lines, in ems. */
const typicalLength = (lines: readonly PlacedLine[]): number =>
  median(lines.map((line) => (line.box.right - line.box.left) / line.size));

/** True if the lines of one side of a gap are running text that fills its column. @param length median, in ems */
function isProse(lines: readonly PlacedLine[], length: number): boolean {
  if (length < MIN_PROSE_LENGTH_EM) return false;
  const box = unionBox(lines.map((line) => line.box));
  const typical = median(lines.map((line) => line.box.right - line.box.left));
  return typical >= MIN_PROSE_FILL_SHARE * (box.right - box.left);
}

const areLevel = (a: PlacedLine, b: PlacedLine): boolean =>
  Math.abs(a.baseline - b.baseline) <= SAME_HEIGHT_EM * Math.max(a.size, b.size);

export interface GapSides {
  prose: boolean;
  /** True if the lines of one side are only a few letters long. */
  narrow: boolean;
  leftRows: number;
  rightRows: number;
  /** Number of rows with lines on both sides at one height. */
  paired: number;
  /** True if it parts cells, as far as these rows tell, but one side is running text. */
  body: boolean;
  /** True if one side is a narrow column beside running text. */
  aside: boolean;
}

/** A side of a gap: of each row with text there the line next to the gap. */
interface Side<T extends PlacedLine> {
  lines: T[];
  /** True if rows have further lines there: further columns. */
  several: boolean;
  /** The first and the last row with text there. */
  from: number;
  to: number;
}

const newSide = <T extends PlacedLine>(): Side<T> => ({ lines: [], several: false, from: -1, to: -1 });

function addTo<T extends PlacedLine>(side: Side<T>, line: T | undefined, row: number, count: number): void {
  if (line === undefined) return;
  side.lines.push(line);
  side.several ||= count > 1;
  if (side.from < 0) side.from = row;
  side.to = row;
}

/** True for wrapped running text: most of its long lines reach the end of the column. */
function isBody<T extends PlacedLine>({ lines, several }: Side<T>): boolean {
  if (several || typicalLength(lines) < MIN_BODY_LENGTH_EM) return false;
  const { left, right } = unionBox(lines.map((line) => line.box));
  const full = lines.filter(({ box }) => box.right - box.left >= FULL_LINE_SHARE * (right - left));
  return full.length >= MIN_FULL_LINES_SHARE * lines.length;
}

/**
 * True if `side` is a column of its own beside running text, though its lines stand at one height with those: lines
 * that follow each other, in another size of type, or beside the beginning of a text that goes on at least as long
 * without them. Labels have the size of what stands beside them, or each stands where that begins.
 */
function isAside<T extends PlacedLine>(side: Side<T>, body: Side<T>): boolean {
  const count = side.lines.length;
  if (count < MIN_COLUMN_ROWS || side.to - side.from >= MAX_ROWS_PER_LINE * count || !isBody(body)) return false;
  const length = typicalLength(side.lines);
  if (length < MIN_ASIDE_LENGTH_EM || length > MAX_ASIDE_LENGTH_SHARE * typicalLength(body.lines)) return false;
  const [size, other] = [side, body].map(({ lines }) => median(lines.map((line) => line.size)));
  if (size !== undefined && other !== undefined && Math.abs(size - other) > OTHER_SIZE_SHARE * other) return true;
  return body.lines.length >= 2 * count;
}

/** True if lines on both sides of a gap stand at one height. */
const isPaired = (lines: readonly PlacedLine[], gap: ColumnGap): boolean =>
  lines.some((line) => isLeftOf(line, gap) && lines.some((other) => !isLeftOf(other, gap) && areLevel(line, other)));

export function judgeSides<T extends PlacedLine>(rows: readonly LineRow<T>[], gap: ColumnGap): GapSides {
  // With several columns on one side, the one next to the gap counts.
  const [left, right] = [newSide<T>(), newSide<T>()];
  let paired = 0;
  rows.forEach(({ lines }, row) => {
    let onLeft = 0;
    let before: T | undefined;
    let behind: T | undefined;
    for (const line of lines) {
      if (isLeftOf(line, gap)) {
        onLeft += 1;
        before = line;
      } else behind ??= line;
    }
    addTo(left, before, row, onLeft);
    addTo(right, behind, row, lines.length - onLeft);
    if (before !== undefined && behind !== undefined && isPaired(lines, gap)) paired += 1;
  });
  const [leftRows, rightRows] = [left.lines.length, right.lines.length];
  const sides: GapSides = { prose: false, narrow: false, leftRows, rightRows, paired, body: false, aside: false };
  if (leftRows === 0 || rightRows === 0) return sides;
  const [leftLength, rightLength] = [typicalLength(left.lines), typicalLength(right.lines)];
  sides.prose = isProse(left.lines, leftLength) && isProse(right.lines, rightLength);
  sides.narrow = Math.min(leftLength, rightLength) < MAX_NARROW_LENGTH_EM;
  const cells = partsCells(sides);
  sides.body = cells && (isBody(left) || isBody(right));
  sides.aside = (sides.narrow || cells) && (isAside(left, right) || isAside(right, left));
  return sides;
}

/** True if a gap through these rows parts the cells of rows: labels from values, one cell from the next. */
export function partsCells({ prose, aside, leftRows, rightRows, paired }: GapSides): boolean {
  const both = Math.min(leftRows, rightRows);
  return both > 0 && !prose && !aside && paired >= MIN_PAIRED_ROWS_SHARE * both;
}

/** True if it parts columns that are read one after the other. */
export const partsColumns = (sides: GapSides): boolean =>
  Math.min(sides.leftRows, sides.rightRows) >= MIN_COLUMN_ROWS && (sides.aside || !sides.narrow) && !partsCells(sides);
