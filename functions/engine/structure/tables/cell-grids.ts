/** Converts lattices to grids: runs of rows whose cells share their columns. Forms have boxes too, but no such rows. */
import type { EnclosedCell, Lattice } from "./lattice.ts";

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

/** Share of the table's width that a row covers; narrower rows are a box beneath it, such as totals. */
const MIN_ROW_WIDTH_SHARE = 0.6;
/** Mean share of the columns' edges that a table's rows have; a form's rows agree on few. */
const MIN_SHARED_EDGES_SHARE = 0.5;
const MIN_ROWS = 2;

interface LatticeRow {
  /** Index among the lattice's rows. */
  index: number;
  cells: EnclosedCell[];
  left: number;
  right: number;
  /** Edges between two cells. */
  inner: Set<number>;
}

/** The lattice's rows with the cells that cross them. */
function toLatticeRows({ ys, cells }: Lattice): LatticeRow[] {
  const rows = ys.slice(1).map(
    (_, index): LatticeRow => ({
      index,
      cells: [],
      left: Infinity,
      right: -Infinity,
      inner: new Set(),
    }),
  );
  for (const cell of cells) for (let index = cell.top; index < cell.bottom; index += 1) rows[index]?.cells.push(cell);
  for (const row of rows) {
    for (const { left, right } of row.cells) {
      row.left = Math.min(row.left, left);
      row.right = Math.max(row.right, right);
    }
    for (const { left, right } of row.cells) {
      if (left > row.left) row.inner.add(left);
      if (right < row.right) row.inner.add(right);
    }
  }
  return rows;
}

const isWithin = (inner: ReadonlySet<number>, outer: ReadonlySet<number>): boolean =>
  [...inner].every((edge) => outer.has(edge));

interface RowRun {
  rows: LatticeRow[];
  left: number;
  right: number;
  edges: Set<number>;
}

/** True if a row continues a run: as wide, and the columns of one are those of the other, some of them joined. */
function continuesRun(run: RowRun, row: LatticeRow, xs: readonly number[]): boolean {
  const width = (left: number, right: number): number => (xs[right] ?? 0) - (xs[left] ?? 0);
  const shared = width(Math.max(run.left, row.left), Math.min(run.right, row.right));
  const all = width(Math.min(run.left, row.left), Math.max(run.right, row.right));
  if (shared < MIN_ROW_WIDTH_SHARE * all) return false;
  const [own, other] = [edgesOf(run), edgesOf(row)];
  return isWithin(own, other) || isWithin(other, own);
}

/** All edges, the outer ones too: a row that begins further in still begins at an edge of the others. */
const edgesOf = ({
  left,
  right,
  edges,
  inner,
}: Partial<RowRun & LatticeRow> & { left: number; right: number }): Set<number> =>
  new Set([...(edges ?? inner ?? []), left, right]);

function toRuns(rows: readonly LatticeRow[], xs: readonly number[]): RowRun[] {
  const runs: RowRun[] = [];
  let before: LatticeRow | undefined;
  for (const row of rows) {
    if (row.cells.length === 0) continue;
    const run = runs.at(-1);
    if (run !== undefined && before?.index === row.index - 1 && continuesRun(run, row, xs)) {
      run.rows.push(row);
      const edges = [...edgesOf(run), ...edgesOf(row)];
      run.left = Math.min(run.left, row.left);
      run.right = Math.max(run.right, row.right);
      run.edges = new Set(edges.filter((edge) => edge !== run.left && edge !== run.right));
    } else {
      runs.push({ rows: [row], left: row.left, right: row.right, edges: new Set(row.inner) });
    }
    before = row;
  }
  return runs;
}

/** Drops the rows before and after that are one box across: titles, notes, the frame of what follows. */
function trim(rows: readonly LatticeRow[]): LatticeRow[] {
  const parted = rows.map((row) => row.inner.size > 0);
  const [first, last] = [parted.indexOf(true), parted.lastIndexOf(true)];
  return first < 0 ? [] : rows.slice(first, last + 1);
}

function isRegular(rows: readonly LatticeRow[], edges: ReadonlySet<number>): boolean {
  const counts = rows.map((row) => row.inner.size);
  const most = edges.size;
  if (most === 0 || counts.filter((count) => count >= MIN_SHARED_EDGES_SHARE * most).length < MIN_ROWS) return false;
  return counts.reduce((sum, count) => sum + count, 0) >= MIN_SHARED_EDGES_SHARE * most * counts.length;
}

function toGrid(run: RowRun, lattice: Lattice): Grid | undefined {
  const rows = trim(run.rows);
  if (rows.length < MIN_ROWS || !isRegular(rows, run.edges)) return undefined;
  const columns = [...run.edges, run.left, run.right].sort((a, b) => a - b);
  const top = rows[0]?.index ?? 0;
  const bottom = top + rows.length;
  const cells: GridCell[] = [];
  for (const cell of new Set(rows.flatMap((row) => row.cells))) {
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

/**
 * Finds the grids in a lattice, top to bottom: two rows or more of two cells or more, in columns that the rows share.
 */
export function findGrids(lattice: Lattice): Grid[] {
  return toRuns(toLatticeRows(lattice), lattice.xs)
    .map((run) => toGrid(run, lattice))
    .filter((grid) => grid !== undefined);
}
