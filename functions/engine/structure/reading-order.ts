/**
 * Lines to blocks in reading order: top to bottom, left to right, columns of running text one after the other. Rows of
 * a table or of labels and values stay rows. Any unit, as long as boxes and sizes share it.
 */

import type { Box } from "../../ports/layout.ts";
import { unionBox } from "../layout/geometry.ts";
import {
  isLeftOf,
  lookAtSides,
  MIN_COLUMN_ROWS,
  narrow,
  partsCells,
  partsColumns,
  type Sides,
  type Span,
} from "./column-gaps.ts";
import { groupIntoRows, type Placed, type Row } from "./line-rows.ts";

/** All in ems. */
const MIN_GUTTER = 0.8;
/** Space beyond the one above or below it that parts two blocks. */
const BLOCK_GAP = 0.35;
const BLOCK_GAP_RATIO = 1.35;
const WIDEST_BLOCK_GAP = 2.2;
const HEADING_RATIO = 1.25;
/** A line so wide, of what all lines span, stands above columns rather than in one. */
const FULL_ROW = 0.6;
/** Places at which columns are looked for, so that no page takes long. */
const ATTEMPTS = 30;
/** Cuts within cuts; deeper nesting is no page. */
const DEPTH = 12;

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

/** What a band's rows leave of a gutter; a row can part it in two. */
function narrowToBand<T extends Placed>(gutter: Span, band: readonly Row<T>[]): Span[] {
  let rest: Span[] = [gutter];
  for (const row of band) {
    if (rest.length === 0) return rest;
    rest = narrow(rest, row.lines, MIN_GUTTER);
  }
  return rest;
}

/** A gutter followed down the page. Rows are counted from the page's first. */
interface Gutter extends Span {
  /** Behind the last row that it goes through. */
  end: number;
  /** The same, above the first band that it would part into cells. */
  sureEnd: number;
  doubtful: boolean;
  /** Behind the last row that it goes through, whatever it parts. */
  wholeEnd: number;
  /** It has parted a band into cells beside running text: it goes on only for what all bands say together. */
  cells: boolean;
  /** Its first band has text on both sides. */
  between: boolean;
  /** Rows that have text on its side, so far. */
  leftRows: number;
  rightRows: number;
}

/** A band of a row or two (headings side by side) proves nothing: its gutter is let pass, as a doubtful one. */
function goOn(gutter: Gutter, span: Span, sides: Sides, bandEnd: number): Gutter {
  const cells = partsCells(sides);
  const doubtful = gutter.doubtful || cells;
  const isFirst = gutter.leftRows + gutter.rightRows === 0;
  return {
    ...span,
    doubtful,
    cells: gutter.cells,
    end: cells || gutter.cells ? gutter.end : bandEnd,
    sureEnd: doubtful ? gutter.sureEnd : bandEnd,
    wholeEnd: bandEnd,
    between: isFirst ? Math.min(sides.leftRows, sides.rightRows) > 0 : gutter.between,
    leftRows: gutter.leftRows + sides.leftRows,
    rightRows: gutter.rightRows + sides.rightRows,
  };
}

/** The gutters from band number `at` on, each as far as it goes without parting the cells of a band. */
function followGutters<T extends Placed>(
  rows: readonly Row<T>[],
  bands: readonly number[],
  at: number,
  box: Box,
): Gutter[] {
  const start = bands[at] ?? 0;
  const whole = { from: box.left, to: box.right, end: start, sureEnd: start, wholeEnd: start };
  const unseen = { doubtful: false, cells: false, between: false, leftRows: 0, rightRows: 0 };
  let open: Gutter[] = [{ ...whole, ...unseen }];
  const found: Gutter[] = [];
  for (let next = at; next < bands.length && open.length > 0; next += 1) {
    const bandEnd = bands[next + 1] ?? rows.length;
    const band = rows.slice(bands[next], bandEnd);
    const further: Gutter[] = [];
    for (const gutter of open) {
      const spans = narrowToBand(gutter, band);
      if (spans.length === 0) found.push(gutter);
      for (const span of spans) {
        const sides = lookAtSides(band, span);
        const on = goOn(gutter, span, sides, bandEnd);
        const ends = !gutter.cells && band.length >= MIN_COLUMN_ROWS && partsCells(sides);
        if (ends) found.push({ ...gutter, ...span });
        if (!ends || sides.body) further.push({ ...on, cells: on.cells || ends });
      }
    }
    open = further;
  }
  return [...found, ...open].filter(({ leftRows, rightRows }) => Math.min(leftRows, rightRows) >= MIN_COLUMN_ROWS);
}

/** How far a gutter parts columns; 0 when it does not. Doubtful rows are columns only with running text on both sides. */
function columnsEnd<T extends Placed>(rows: readonly Row<T>[], start: number, gutter: Gutter): number {
  const parts = (end: number, proseOnly: boolean): boolean => {
    if (end - start < MIN_COLUMN_ROWS) return false;
    const sides = lookAtSides(rows.slice(start, end), gutter);
    return partsColumns(sides) && (sides.prose || !proseOnly);
  };
  const { between, doubtful, cells, wholeEnd } = gutter;
  if (between && (doubtful || cells) && lookAtSides(rows.slice(start, wholeEnd), gutter).aside) return wholeEnd;
  if (parts(gutter.end, gutter.doubtful)) return gutter.end;
  return gutter.sureEnd < gutter.end && parts(gutter.sureEnd, false) ? gutter.sureEnd : 0;
}

/** The first run of bands that a gutter parts into columns; of several gutters the longest, then the widest. */
function findColumns<T extends Placed>(rows: readonly Row<T>[], box: Box): ColumnRun | undefined {
  const bands = findBands(rows, box);
  for (const [at, start] of bands.slice(0, ATTEMPTS).entries()) {
    const runs = followGutters(rows, bands, at, box)
      .map((gutter): ColumnRun => ({ start, end: columnsEnd(rows, start, gutter), gutter }))
      .filter(({ end }) => end > 0);
    const width = ({ gutter }: ColumnRun): number => gutter.to - gutter.from;
    const best = runs.sort((a, b) => b.end - a.end || width(b) - width(a))[0];
    if (best !== undefined) return best;
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
