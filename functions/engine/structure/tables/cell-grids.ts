/** Lattices to grids: runs of rows whose cells share their columns. Forms have boxes too, but no such rows. */
import type { Enclosed, Lattice } from "./lattice.ts";

export interface GridCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
}

export interface Grid {
  /** Column edges, one more than columns. */
  xs: number[];
  /** Row edges, one more than rows. */
  ys: number[];
  cells: GridCell[];
}

/** A row reaches over so much of the table's width; what is narrower is a box beneath it, such as totals. */
const ROW_WIDTH = 0.6;
/** Of the columns' edges a table's rows have, on average, so many; a form's rows agree on few. */
const REGULAR = 0.5;
const MIN_ROWS = 2;

interface Strip {
  /** Of the lattice's rows. */
  index: number;
  cells: Enclosed[];
  left: number;
  right: number;
  /** Edges between two cells. */
  inner: Set<number>;
}

/** The lattice's rows with the cells that they cross. */
function toStrips({ ys, cells }: Lattice): Strip[] {
  const strips = ys.slice(1).map(
    (_, index): Strip => ({
      index,
      cells: [],
      left: Infinity,
      right: -Infinity,
      inner: new Set(),
    }),
  );
  for (const cell of cells)
    for (let row = cell.top; row < cell.bottom; row += 1) {
      const strip = strips[row];
      strip?.cells.push(cell);
    }
  for (const strip of strips) {
    for (const { left, right } of strip.cells) {
      strip.left = Math.min(strip.left, left);
      strip.right = Math.max(strip.right, right);
    }
    for (const { left, right } of strip.cells) {
      if (left > strip.left) strip.inner.add(left);
      if (right < strip.right) strip.inner.add(right);
    }
  }
  return strips;
}

const isWithin = (inner: ReadonlySet<number>, outer: ReadonlySet<number>): boolean =>
  [...inner].every((edge) => outer.has(edge));

interface Run {
  strips: Strip[];
  left: number;
  right: number;
  edges: Set<number>;
}

/** Whether a strip goes on with a run: as wide, and the columns of one are those of the other, some of them joined. */
function joins(run: Run, strip: Strip, xs: readonly number[]): boolean {
  const width = (left: number, right: number): number => (xs[right] ?? 0) - (xs[left] ?? 0);
  const shared = width(Math.max(run.left, strip.left), Math.min(run.right, strip.right));
  const all = width(Math.min(run.left, strip.left), Math.max(run.right, strip.right));
  if (shared < ROW_WIDTH * all) return false;
  const [own, other] = [edgesOf(run), edgesOf(strip)];
  return isWithin(own, other) || isWithin(other, own);
}

/** With the outer edges: a row that begins further in still begins at an edge of the others. */
const edgesOf = ({ left, right, edges, inner }: Partial<Run & Strip> & { left: number; right: number }): Set<number> =>
  new Set([...(edges ?? inner ?? []), left, right]);

function toRuns(strips: readonly Strip[], xs: readonly number[]): Run[] {
  const runs: Run[] = [];
  let before: Strip | undefined;
  for (const strip of strips) {
    if (strip.cells.length === 0) continue;
    const run = runs.at(-1);
    if (run !== undefined && before?.index === strip.index - 1 && joins(run, strip, xs)) {
      run.strips.push(strip);
      const edges = [...edgesOf(run), ...edgesOf(strip)];
      run.left = Math.min(run.left, strip.left);
      run.right = Math.max(run.right, strip.right);
      run.edges = new Set(edges.filter((edge) => edge !== run.left && edge !== run.right));
    } else {
      runs.push({ strips: [strip], left: strip.left, right: strip.right, edges: new Set(strip.inner) });
    }
    before = strip;
  }
  return runs;
}

/** Without the rows before and after that are one box across: titles, notes, the frame of what follows. */
function trim(strips: readonly Strip[]): Strip[] {
  const parted = strips.map((strip) => strip.inner.size > 0);
  const [first, last] = [parted.indexOf(true), parted.lastIndexOf(true)];
  return first < 0 ? [] : strips.slice(first, last + 1);
}

function isRegular(strips: readonly Strip[], edges: ReadonlySet<number>): boolean {
  const counts = strips.map((strip) => strip.inner.size);
  const most = edges.size;
  if (most === 0 || counts.filter((count) => count >= REGULAR * most).length < MIN_ROWS) return false;
  return counts.reduce((sum, count) => sum + count, 0) >= REGULAR * most * counts.length;
}

function toGrid(run: Run, lattice: Lattice): Grid | undefined {
  const strips = trim(run.strips);
  if (strips.length < MIN_ROWS || !isRegular(strips, run.edges)) return undefined;
  const columns = [...run.edges, run.left, run.right].sort((a, b) => a - b);
  const top = strips[0]?.index ?? 0;
  const bottom = top + strips.length;
  const cells: GridCell[] = [];
  for (const cell of new Set(strips.flatMap((strip) => strip.cells))) {
    const [column, end] = [columns.indexOf(cell.left), columns.indexOf(cell.right)];
    const row = Math.max(cell.top, top) - top;
    const rowEnd = Math.min(cell.bottom, bottom) - top;
    if (column < 0 || end <= column || rowEnd <= row) continue;
    cells.push({ row, column, rowSpan: rowEnd - row, columnSpan: end - column });
  }
  return {
    xs: columns.map((column) => lattice.xs[column] ?? 0),
    ys: lattice.ys.slice(top, bottom + 1),
    cells: cells.sort((a, b) => a.row - b.row || a.column - b.column),
  };
}

/** The grids in a lattice, top to bottom: two rows or more of two cells or more, in columns that the rows share. */
export function findGrids(lattice: Lattice): Grid[] {
  return toRuns(toStrips(lattice), lattice.xs)
    .map((run) => toGrid(run, lattice))
    .filter((grid) => grid !== undefined);
}
