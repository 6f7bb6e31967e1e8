/**
 * Lines to blocks in reading order: top to bottom, left to right, columns of running text one after the other. Rows of
 * a table or of labels and values stay rows. Any unit, as long as boxes and sizes share it.
 */
import { type Box, unionBox } from "./layout.ts";

/** A line with the size of its type and the height that it stands on. */
export interface Placed {
  box: Box;
  size: number;
  baseline: number;
}

/** All in ems. */
const MIN_GUTTER = 0.8;
/** Space beyond the one above or below it that parts two blocks. */
const BLOCK_GAP = 0.35;
const BLOCK_GAP_RATIO = 1.35;
const WIDEST_BLOCK_GAP = 2.2;
const HEADING_RATIO = 1.25;
/** A side of a gutter is running text when its lines fill so much of it, and are so many ems long. */
const PROSE_FILL = 0.55;
const PROSE_LENGTH = 10;
/** The cells of a row stand on one height; lines of two sides do so by chance when fewer than this share of them do. */
const PAIRED = 0.6;
const SAME_HEIGHT = 0.2;
/** Lines no longer than this are values or marks, not a column of their own. */
const NARROW = 4;
const MIN_COLUMN_ROWS = 3;
/** A line so wide, of what all lines span, stands above columns rather than in one. */
const FULL_ROW = 0.6;
/** Places at which columns are looked for, so that no page takes long. */
const ATTEMPTS = 30;
/** Cuts within cuts; deeper nesting is no page. */
const DEPTH = 12;

interface Row<T extends Placed> {
  lines: T[];
  box: Box;
  size: number;
}

interface Span {
  from: number;
  to: number;
}

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

const toRow = <T extends Placed>(lines: T[]): Row<T> => ({
  lines: lines.sort((a, b) => a.box.left - b.box.left),
  box: unionBox(lines.map((line) => line.box)),
  size: median(lines.map((line) => line.size)),
});

/** Lines whose middles lie within half the smaller height of the row's share a row. */
export function groupIntoRows<T extends Placed>(lines: readonly T[]): Row<T>[] {
  const middle = ({ box }: T): number => (box.top + box.bottom) / 2;
  const rows: { lines: T[]; middle: number; height: number }[] = [];
  for (const line of [...lines].sort((a, b) => middle(a) - middle(b))) {
    const height = line.box.bottom - line.box.top;
    const row = rows.at(-1);
    if (row !== undefined && middle(line) - row.middle <= 0.45 * Math.min(height, row.height)) {
      row.lines.push(line);
    } else {
      rows.push({ lines: [line], middle: middle(line), height });
    }
  }
  return rows.map((row) => toRow(row.lines));
}

/** What of `free` none of the lines covers, wide enough for a gutter. */
function narrow(free: readonly Span[], lines: readonly Placed[], least: number): Span[] {
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

const isLeftOf = (line: Placed, gutter: Span): boolean => line.box.right <= gutter.from + 1e-6;

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

interface Sides {
  prose: boolean;
  /** The lines of one side are but a few letters long. */
  narrow: boolean;
  leftRows: number;
  rightRows: number;
  /** Rows with lines on both sides that stand on one height. */
  paired: number;
}

function lookAtSides<T extends Placed>(rows: readonly Row<T>[], gutter: Span): Sides {
  const left: T[] = [];
  const right: T[] = [];
  const sides: Sides = { prose: false, narrow: false, leftRows: 0, rightRows: 0, paired: 0 };
  for (const { lines } of rows) {
    const onLeft = lines.filter((line) => isLeftOf(line, gutter));
    const onRight = lines.filter((line) => !isLeftOf(line, gutter));
    if (onLeft.length > 0) sides.leftRows += 1;
    if (onRight.length > 0) sides.rightRows += 1;
    if (onLeft.some((line) => onRight.some((other) => level(line, other)))) sides.paired += 1;
    for (const line of onLeft) left.push(line);
    for (const line of onRight) right.push(line);
  }
  if (left.length > 0 && right.length > 0) {
    sides.prose = isProse(left) && isProse(right);
    sides.narrow = Math.min(typicalLength(left), typicalLength(right)) < NARROW;
  }
  return sides;
}

/** Whether a gutter through these rows parts the cells of rows: labels from values, one cell from the next. */
function partsCells({ prose, leftRows, rightRows, paired }: Sides): boolean {
  const both = Math.min(leftRows, rightRows);
  return both > 0 && !prose && paired >= PAIRED * both;
}

/** Whether it parts columns that are read one after the other. */
const partsColumns = (sides: Sides): boolean =>
  Math.min(sides.leftRows, sides.rightRows) >= MIN_COLUMN_ROWS && !sides.narrow && !partsCells(sides);

interface ColumnRun {
  start: number;
  /** Behind the last. */
  end: number;
  gutter: Span;
}

const isFull = <T extends Placed>(row: Row<T>, box: Box): boolean =>
  row.lines.some((line) => line.box.right - line.box.left > FULL_ROW * (box.right - box.left));

/** Where bands of rows begin: below gaps, and where rows across the page meet rows with space in them. */
function findBands<T extends Placed>(rows: readonly Row<T>[], box: Box): number[] {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    const begins = before === undefined || endsBlock(rows, index - 1) || isFull(before, box) !== isFull(row, box);
    return begins ? [index] : [];
  });
}

/** The gutters that rows `from` to `to` leave of `free`, without those that part their cells. */
function narrowToBand<T extends Placed>(free: readonly Span[], band: readonly Row<T>[]): Span[] {
  let rest = free as Span[];
  for (const row of band) {
    rest = narrow(rest, row.lines, MIN_GUTTER * row.size);
    if (rest.length === 0) return rest;
  }
  return rest.filter((gutter) => !partsCells(lookAtSides(band, gutter)));
}

/** The first run of bands that one gutter parts into columns. */
function findColumns<T extends Placed>(rows: readonly Row<T>[], box: Box): ColumnRun | undefined {
  const bands = findBands(rows, box);
  for (const [at, start] of bands.slice(0, ATTEMPTS).entries()) {
    let free: Span[] = [{ from: box.left, to: box.right }];
    let end = start;
    for (let next = at; next < bands.length; next += 1) {
      const bandEnd = bands[next + 1] ?? rows.length;
      const rest = narrowToBand(free, rows.slice(end, bandEnd));
      if (rest.length === 0) break;
      free = rest;
      end = bandEnd;
    }
    if (end - start < MIN_COLUMN_ROWS) continue;
    const run = rows.slice(start, end);
    const gutter = free
      .filter((span) => partsColumns(lookAtSides(run, span)))
      .sort((a, b) => b.to - b.from - (a.to - a.from))[0];
    if (gutter !== undefined) return { start, end, gutter };
  }
  return undefined;
}

/** Where a block ends after row `index`: space that stands out, or a heading before or after running text. */
function endsBlock<T extends Placed>(rows: readonly Row<T>[], index: number): boolean {
  const [before, row, next, after] = [rows[index - 1], rows[index], rows[index + 1], rows[index + 2]];
  if (row === undefined || next === undefined) return false;
  const em = Math.max(row.size, next.size);
  const gap = (next.box.top - row.box.bottom) / em;
  if (gap > WIDEST_BLOCK_GAP) return true;
  const alone = row.lines.length === 1 && next.lines.length === 1;
  if (alone && gap > 0 && em > HEADING_RATIO * Math.min(row.size, next.size)) return true;
  const around = [
    before === undefined ? undefined : (row.box.top - before.box.bottom) / em,
    after === undefined ? undefined : (after.box.top - next.box.bottom) / em,
  ].filter((one) => one !== undefined);
  const usual = around.length === 0 ? BLOCK_GAP : Math.min(...around);
  return gap > BLOCK_GAP && gap > Math.max(usual, 0) * BLOCK_GAP_RATIO + 0.1;
}

function cutRows<T extends Placed>(rows: readonly Row<T>[]): T[][] {
  const blocks: T[][] = [];
  let block: T[] = [];
  rows.forEach((row, index) => {
    for (const line of row.lines) block.push(line);
    if (index === rows.length - 1 || endsBlock(rows, index)) {
      blocks.push(block);
      block = [];
    }
  });
  return blocks;
}

function arrangeRows<T extends Placed>(rows: readonly Row<T>[], depth: number): T[][] {
  if (rows.length === 0) return [];
  const columns = depth < DEPTH ? findColumns(rows, unionBox(rows.map((row) => row.box))) : undefined;
  if (columns === undefined) return cutRows(rows);
  const { start, end, gutter } = columns;
  const lines = rows.slice(start, end).flatMap((row) => row.lines);
  const left = lines.filter((line) => isLeftOf(line, gutter));
  const right = lines.filter((line) => !isLeftOf(line, gutter));
  return [
    ...cutRows(rows.slice(0, start)),
    ...arrangeRows(groupIntoRows(left), depth + 1),
    ...arrangeRows(groupIntoRows(right), depth + 1),
    ...arrangeRows(rows.slice(end), depth + 1),
  ];
}

/** Blocks of lines in reading order; the lines of a block row by row, each row from left to right. */
export function arrangeLines<T extends Placed>(lines: readonly T[]): T[][] {
  return arrangeRows(groupIntoRows(lines), 0);
}
