/**
 * Arranges lines into blocks in reading order: top to bottom, left to right, columns of running text one after the
 * other. Rows of a table or of labels and values stay rows. Any unit, as long as boxes and sizes share it.
 */

import type { Box } from "../../ports/layout.ts";
import { unionBox } from "../layout/geometry.ts";
import {
  type ColumnGap,
  type GapSides,
  isLeftOf,
  judgeSides,
  MIN_COLUMN_ROWS,
  partsCells,
  partsColumns,
  withoutLines,
} from "./column-gaps.ts";
import { groupIntoRows, type LineRow, type PlacedLine } from "./line-rows.ts";

/** Width of a gap between columns. */
const MIN_COLUMN_GAP_EM = 0.8;
/** Gap that parts two blocks: its size, its ratio to the gap above or below it, and the size that always parts. */
const MIN_BLOCK_GAP_EM = 0.35;
const MIN_BLOCK_GAP_RATIO = 1.35;
const MAX_LINE_GAP_EM = 2.2;
const HEADING_SIZE_RATIO = 1.25;
/** Share of the width of all lines from which a line stands above columns rather than in one. */
const FULL_ROW_SHARE = 0.6;
/** Bands at which columns are searched for, which bounds the time of a page. */
const MAX_COLUMN_SEARCHES = 30;
/** Columns within columns; deeper nesting is no page. */
const MAX_COLUMN_DEPTH = 12;

interface ColumnRun {
  start: number;
  /** Index behind the last row. */
  end: number;
  gap: ColumnGap;
}

const isFull = <T extends PlacedLine>(row: LineRow<T>, box: Box): boolean =>
  row.lines.some((line) => line.box.right - line.box.left > FULL_ROW_SHARE * (box.right - box.left));

/** Indices where bands of rows begin: below gaps, and where rows across the page meet rows with gaps in them. */
function findBands<T extends PlacedLine>(rows: readonly LineRow<T>[], box: Box): number[] {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    const begins = before === undefined || endsBlock(rows, index - 1) || isFull(before, box) !== isFull(row, box);
    return begins ? [index] : [];
  });
}

/** The parts of a gap that a band's rows leave free; a row can part it in two. */
function narrowToBand<T extends PlacedLine>(gap: ColumnGap, band: readonly LineRow<T>[]): ColumnGap[] {
  let rest: ColumnGap[] = [gap];
  for (const row of band) {
    if (rest.length === 0) return rest;
    rest = withoutLines(rest, row.lines, MIN_COLUMN_GAP_EM);
  }
  return rest;
}

/** A gap followed down the page. Rows are counted from the page's first. */
interface FollowedGap extends ColumnGap {
  /** Index behind the last row that it goes through. */
  end: number;
  /** The same, before the first band that it would part into cells. */
  sureEnd: number;
  doubtful: boolean;
  /** Index behind the last row that it goes through, whatever it parts. */
  wholeEnd: number;
  /**
   * True if it has parted a band into cells beside running text: it continues only for the judgement of all bands
   * together.
   */
  cells: boolean;
  /** True if its first band has text on both sides. */
  between: boolean;
  /** Number of rows with text on its side, so far. */
  leftRows: number;
  rightRows: number;
}

/**
 * Extends a gap through a band. A band of a row or two (headings side by side) proves nothing: its gap passes, as a
 * doubtful one.
 */
function extendGap(gap: FollowedGap, span: ColumnGap, sides: GapSides, bandEnd: number): FollowedGap {
  const cells = partsCells(sides);
  const doubtful = gap.doubtful || cells;
  const isFirst = gap.leftRows + gap.rightRows === 0;
  return {
    ...span,
    doubtful,
    cells: gap.cells,
    end: cells || gap.cells ? gap.end : bandEnd,
    sureEnd: doubtful ? gap.sureEnd : bandEnd,
    wholeEnd: bandEnd,
    between: isFirst ? Math.min(sides.leftRows, sides.rightRows) > 0 : gap.between,
    leftRows: gap.leftRows + sides.leftRows,
    rightRows: gap.rightRows + sides.rightRows,
  };
}

/** The gaps from band number `at` on, each as far as it goes without parting the cells of a band. */
function followGaps<T extends PlacedLine>(
  rows: readonly LineRow<T>[],
  bands: readonly number[],
  at: number,
  box: Box,
): FollowedGap[] {
  const start = bands[at] ?? 0;
  const whole = { from: box.left, to: box.right, end: start, sureEnd: start, wholeEnd: start };
  const unseen = { doubtful: false, cells: false, between: false, leftRows: 0, rightRows: 0 };
  let open: FollowedGap[] = [{ ...whole, ...unseen }];
  const found: FollowedGap[] = [];
  for (let next = at; next < bands.length && open.length > 0; next += 1) {
    const bandEnd = bands[next + 1] ?? rows.length;
    const band = rows.slice(bands[next], bandEnd);
    const further: FollowedGap[] = [];
    for (const gap of open) {
      const spans = narrowToBand(gap, band);
      if (spans.length === 0) found.push(gap);
      for (const span of spans) {
        const sides = judgeSides(band, span);
        const on = extendGap(gap, span, sides, bandEnd);
        const ends = !gap.cells && band.length >= MIN_COLUMN_ROWS && partsCells(sides);
        if (ends) found.push({ ...gap, ...span });
        if (!ends || sides.body) further.push({ ...on, cells: on.cells || ends });
      }
    }
    open = further;
  }
  return [...found, ...open].filter(({ leftRows, rightRows }) => Math.min(leftRows, rightRows) >= MIN_COLUMN_ROWS);
}

/**
 * End of the rows that a gap parts into columns; 0 for none. Doubtful rows are columns only with running text on both
 * sides.
 */
function columnsEnd<T extends PlacedLine>(rows: readonly LineRow<T>[], start: number, gap: FollowedGap): number {
  const parts = (end: number, proseOnly: boolean): boolean => {
    if (end - start < MIN_COLUMN_ROWS) return false;
    const sides = judgeSides(rows.slice(start, end), gap);
    return partsColumns(sides) && (sides.prose || !proseOnly);
  };
  const { between, doubtful, cells, wholeEnd } = gap;
  if (between && (doubtful || cells) && judgeSides(rows.slice(start, wholeEnd), gap).aside) return wholeEnd;
  if (parts(gap.end, gap.doubtful)) return gap.end;
  return gap.sureEnd < gap.end && parts(gap.sureEnd, false) ? gap.sureEnd : 0;
}

/** The first run of bands that a gap parts into columns; of several gaps the longest, then the widest. */
function findColumns<T extends PlacedLine>(rows: readonly LineRow<T>[], box: Box): ColumnRun | undefined {
  const bands = findBands(rows, box);
  for (const [at, start] of bands.slice(0, MAX_COLUMN_SEARCHES).entries()) {
    const runs = followGaps(rows, bands, at, box)
      .map((gap): ColumnRun => ({ start, end: columnsEnd(rows, start, gap), gap }))
      .filter(({ end }) => end > 0);
    const width = ({ gap }: ColumnRun): number => gap.to - gap.from;
    const best = runs.sort((a, b) => b.end - a.end || width(b) - width(a))[0];
    if (best !== undefined) return best;
  }
  return undefined;
}

/** True if a block ends after row `index`: at a gap that stands out, or a heading before or after running text. */
function endsBlock<T extends PlacedLine>(rows: readonly LineRow<T>[], index: number): boolean {
  const [before, row, next, after] = [rows[index - 1], rows[index], rows[index + 1], rows[index + 2]];
  if (row === undefined || next === undefined) return false;
  const em = Math.max(row.size, next.size);
  const gap = (next.box.top - row.box.bottom) / em;
  if (gap > MAX_LINE_GAP_EM) return true;
  const alone = row.lines.length === 1 && next.lines.length === 1;
  if (alone && gap > 0 && em > HEADING_SIZE_RATIO * Math.min(row.size, next.size)) return true;
  const around = [
    before === undefined ? undefined : (row.box.top - before.box.bottom) / em,
    after === undefined ? undefined : (after.box.top - next.box.bottom) / em,
  ].filter((one) => one !== undefined);
  const usual = around.length === 0 ? MIN_BLOCK_GAP_EM : Math.min(...around);
  return gap > MIN_BLOCK_GAP_EM && gap > Math.max(usual, 0) * MIN_BLOCK_GAP_RATIO + 0.1;
}

function cutRows<T extends PlacedLine>(rows: readonly LineRow<T>[]): T[][] {
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

function arrangeRows<T extends PlacedLine>(rows: readonly LineRow<T>[], depth: number): T[][] {
  if (rows.length === 0) return [];
  const columns = depth < MAX_COLUMN_DEPTH ? findColumns(rows, unionBox(rows.map((row) => row.box))) : undefined;
  if (columns === undefined) return cutRows(rows);
  const { start, end, gap } = columns;
  const lines = rows.slice(start, end).flatMap((row) => row.lines);
  const left = lines.filter((line) => isLeftOf(line, gap));
  const right = lines.filter((line) => !isLeftOf(line, gap));
  return [
    ...cutRows(rows.slice(0, start)),
    ...arrangeRows(groupIntoRows(left), depth + 1),
    ...arrangeRows(groupIntoRows(right), depth + 1),
    ...arrangeRows(rows.slice(end), depth + 1),
  ];
}

/** Arranges lines into blocks in reading order; the lines of a block row by row, each row from left to right. */
export function arrangeLines<T extends PlacedLine>(lines: readonly T[]): T[][] {
  return arrangeRows(groupIntoRows(lines), 0);
}
