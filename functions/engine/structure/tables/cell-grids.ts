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
/** Rows, share of them and edges from which these edges alone are a table's. */
const MIN_SHARING_ROWS = 5;
const MIN_SHARING_ROWS_SHARE = 0.75;
const MIN_SHARED_EDGES = 2;

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
function continuesRun(run: RowRun, row: RowRun | LatticeRow, xs: readonly number[]): boolean {
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

/** Adds rows to a run, with their columns. */
function joinRuns(run: RowRun, next: Partial<RowRun & LatticeRow> & Pick<RowRun, "rows" | "left" | "right">): void {
  run.rows.push(...next.rows);
  const edges = [...edgesOf(run), ...edgesOf(next)];
  run.left = Math.min(run.left, next.left);
  run.right = Math.max(run.right, next.right);
  run.edges = new Set(edges.filter((edge) => edge !== run.left && edge !== run.right));
}

/** Groups rows by their columns; a row that disagrees with those above it may still fit in with all that follow. */
function toRuns(rows: readonly LatticeRow[], xs: readonly number[]): RowRun[] {
  const runs: RowRun[] = [];
  let before: LatticeRow | undefined;
  for (const row of rows) {
    if (row.cells.length === 0) continue;
    const run = runs.at(-1);
    if (run !== undefined && before?.index === row.index - 1 && continuesRun(run, row, xs)) {
      joinRuns(run, { ...row, rows: [row] });
    } else {
      runs.push({ rows: [row], left: row.left, right: row.right, edges: new Set(row.inner) });
    }
    before = row;
  }
  return runs.reduce<RowRun[]>((joined, run) => {
    const last = joined.at(-1);
    const isNext = last?.rows.at(-1)?.index === (run.rows[0]?.index ?? 0) - 1;
    if (last !== undefined && isNext && continuesRun(last, run, xs)) joinRuns(last, run);
    else joined.push(run);
    return joined;
  }, []);
}

/**
 * Drops the rows before and after that are one box across, unless they are as wide as the rows and not higher than all
 * of them: a page's frame, the frame of what follows.
 */
function trim(rows: readonly LatticeRow[], { ys }: Lattice): LatticeRow[] {
  const parted = rows.map((row) => row.inner.size > 0);
  const [first, last] = [parted.indexOf(true), parted.lastIndexOf(true)];
  const own = first < 0 ? [] : rows.slice(first, last + 1);
  const [left, right] = [Math.min(...own.map((row) => row.left)), Math.max(...own.map((row) => row.right))];
  const placeOf = (edge: number): number => ys[edge] ?? 0;
  const height = placeOf(last + 1 + (rows[0]?.index ?? 0)) - placeOf(first + (rows[0]?.index ?? 0));
  const isOwn = (row: LatticeRow): boolean =>
    row.left === left && row.right === right && placeOf(row.index + 1) - placeOf(row.index) <= height;
  const [above, below] = [rows.slice(0, Math.max(first, 0)), rows.slice(last + 1)];
  const top = above.findLastIndex((row) => !isOwn(row)) + 1;
  const end = below.findIndex((row) => !isOwn(row));
  return [...above.slice(top), ...own, ...below.slice(0, end < 0 ? below.length : end)];
}

function isRegular(rows: readonly LatticeRow[], edges: ReadonlySet<number>): boolean {
  const counts = rows.map((row) => row.inner.size).filter((count) => count > 0);
  const most = edges.size;
  if (most === 0 || counts.filter((count) => count >= MIN_SHARED_EDGES_SHARE * most).length < MIN_ROWS) return false;
  return counts.reduce((sum, count) => sum + count, 0) >= MIN_SHARED_EDGES_SHARE * most * counts.length;
}

/** The edges that nearly all rows share, where the others are marks in a few rows: strokes of a dark head, stamps. */
function sharedEdges(rows: readonly LatticeRow[], edges: ReadonlySet<number>): Set<number> | undefined {
  const shared = [...edges].filter(
    (edge) => rows.filter(({ inner }) => inner.has(edge)).length >= MIN_SHARING_ROWS_SHARE * rows.length,
  );
  return rows.length >= MIN_SHARING_ROWS && shared.length >= MIN_SHARED_EDGES ? new Set(shared) : undefined;
}

const overlap = (a: EnclosedCell, b: EnclosedCell): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const hullOf = (a: EnclosedCell, b: EnclosedCell): EnclosedCell => ({
  left: Math.min(a.left, b.left),
  right: Math.max(a.right, b.right),
  top: Math.min(a.top, b.top),
  bottom: Math.max(a.bottom, b.bottom),
});

/** The cells with their sides moved out to columns; those that then overlap are one. */
function toColumns(cells: readonly EnclosedCell[], columns: readonly number[]): EnclosedCell[] {
  const joined: EnclosedCell[] = [];
  for (const cell of cells) {
    const left = columns.findLast((column) => column <= cell.left) ?? cell.left;
    const right = columns.find((column) => column >= cell.right) ?? cell.right;
    let own: EnclosedCell = { ...cell, left, right };
    for (
      let at = joined.findIndex((one) => overlap(one, own));
      at >= 0;
      at = joined.findIndex((one) => overlap(one, own))
    )
      own = hullOf(own, joined.splice(at, 1)[0] ?? own);
    joined.push(own);
  }
  return joined;
}

/** Leaves out row edges that no cell begins at: marks in one cell that became a part of it. */
function joinRows({ xs, ys, cells }: Grid): Grid {
  const begun = new Set([0, ys.length - 1, ...cells.flatMap(({ row, rowSpan }) => [row, row + rowSpan])]);
  if (begun.size === ys.length) return { xs, ys, cells };
  const kept = [...begun].sort((a, b) => a - b);
  const placeOf = (edge: number): number => kept.indexOf(edge);
  return {
    xs,
    ys: kept.map((edge) => ys[edge] ?? 0),
    cells: cells.map((cell) => {
      const row = placeOf(cell.row);
      return { ...cell, row, rowSpan: placeOf(cell.row + cell.rowSpan) - row };
    }),
  };
}

function toGrid(run: RowRun, lattice: Lattice): Grid | undefined {
  const rows = trim(run.rows, lattice);
  if (rows.length < MIN_ROWS) return undefined;
  const edges = isRegular(rows, run.edges) ? run.edges : sharedEdges(rows, run.edges);
  if (edges === undefined) return undefined;
  const columns = [...edges, run.left, run.right].sort((a, b) => a - b);
  const top = rows[0]?.index ?? 0;
  const bottom = top + rows.length;
  const cells: GridCell[] = [];
  const enclosed = [...new Set(rows.flatMap((row) => row.cells))];
  for (const cell of edges === run.edges ? enclosed : toColumns(enclosed, columns)) {
    const [column, end] = [columns.indexOf(cell.left), columns.indexOf(cell.right)];
    const row = Math.max(cell.top, top) - top;
    const rowEnd = Math.min(cell.bottom, bottom) - top;
    if (column < 0 || end <= column || rowEnd <= row) continue;
    cells.push({ row, column, rowSpan: rowEnd - row, columnSpan: end - column });
  }
  return joinRows({
    xs: columns.map((column) => lattice.xs[column] ?? 0),
    ys: lattice.ys.slice(top, bottom + 1),
    cells: cells.sort((a, b) => a.row - b.row || a.column - b.column),
  });
}

/**
 * Finds the grids in a lattice, top to bottom: two rows or more of two cells or more, in columns that the rows share.
 */
export function findGrids(lattice: Lattice): Grid[] {
  return toRuns(toLatticeRows(lattice), lattice.xs)
    .map((run) => toGrid(run, lattice))
    .filter((grid) => grid !== undefined);
}
