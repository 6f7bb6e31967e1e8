/** Compares the tables that a reader finds on a page with the truth. */
import { relationsOf, sharedCount } from "./adjacency.ts";
import { comparedText, type Grid, type GridCell, type TruthGrid, type TruthGridCell } from "./grid.ts";

/** Numbers of right, stated and returned things. */
export interface Count {
  right: number;
  stated: number;
  returned: number;
}

/** A cell of the truth that was not found there, or a returned cell that is not in the truth. */
export interface Difference {
  table: number | null;
  row: number;
  column: number;
  expected: string | null;
  got: string | null;
}

export interface PageScore {
  /** Text, row and column are right. */
  places: Count;
  /** The spans are, too. */
  cells: Count;
  relations: Count;
  /** Cells of tables with and without drawn lines; a returned table that matches none is in neither. */
  ruled: Count;
  unruled: Count;
  /** The reading of the truth that the reader is nearest to. */
  reading: number;
  differences: Difference[];
}

const addCounts = (...counts: readonly Count[]): Count => ({
  right: counts.reduce((sum, { right }) => sum + right, 0),
  stated: counts.reduce((sum, { stated }) => sum + stated, 0),
  returned: counts.reduce((sum, { returned }) => sum + returned, 0),
});

export const shareOf = ({ right, stated, returned }: Count) => ({
  precision: right / returned,
  recall: right / stated,
  /** The harmonic mean of both. */
  f1: stated + returned === 0 ? Number.NaN : (2 * right) / (stated + returned),
});

const placeOf = ({ row, column }: Pick<GridCell, "row" | "column">): string => `${row}/${column}`;
const isSame = (one: GridCell, other: GridCell): boolean => comparedText(one.text) === comparedText(other.text);
const hasSpan = (cell: GridCell, truth: TruthGridCell): boolean =>
  truth.anySpan || (cell.rowSpan === truth.rowSpan && cell.columnSpan === truth.columnSpan);

interface Pair {
  truth: TruthGrid;
  found: Grid;
}

/** Pairs the tables one to one, those that agree best first: cells at their place, then texts in common. */
function pairTables(truths: readonly TruthGrid[], grids: readonly Grid[]): Pair[] {
  const pairs = truths.flatMap((truth) =>
    grids.map((found) => {
      const places = new Map(found.cells.map((cell) => [placeOf(cell), cell]));
      const right = truth.cells.filter((cell) => {
        const one = places.get(placeOf(cell));
        return one !== undefined && isSame(one, cell);
      }).length;
      const texts = (cells: readonly GridCell[]): string[] => cells.map(({ text }) => comparedText(text));
      return { truth, found, right, shared: sharedCount(texts(truth.cells), texts(found.cells)) };
    }),
  );
  const [usedTruths, usedGrids] = [new Set<TruthGrid>(), new Set<Grid>()];
  return pairs
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.right - a.right || b.shared - a.shared)
    .filter(({ truth, found }) => {
      if (usedTruths.has(truth) || usedGrids.has(found)) return false;
      usedTruths.add(truth);
      usedGrids.add(found);
      return true;
    });
}

interface TableScore {
  places: Count;
  cells: Count;
  /** Judged cells of both. */
  stated: GridCell[];
  returned: GridCell[];
  differences: Difference[];
}

const sayDifference = (
  table: number | null,
  cell: GridCell,
  expected: string | null,
  got: string | null,
): Difference => ({
  table,
  row: cell.row,
  column: cell.column,
  expected,
  got,
});

/** Compares two tables cell by cell; positions that the truth leaves open are judged in neither. */
function scoreTable(truth: readonly TruthGridCell[], found: readonly GridCell[], table: number | null): TableScore {
  const free = new Set(truth.filter((cell) => cell.free).map(placeOf));
  const stated = truth.filter((cell) => !cell.free);
  const returned = found.filter((cell) => !free.has(placeOf(cell)));
  const places = new Map(returned.map((cell) => [placeOf(cell), cell]));
  const wanted = new Set(stated.map(placeOf));
  const differences: Difference[] = [];
  let [right, spanned] = [0, 0];
  for (const cell of stated) {
    const one = places.get(placeOf(cell));
    const isRight = one !== undefined && isSame(one, cell);
    if (isRight) right += 1;
    if (isRight && hasSpan(one, cell)) spanned += 1;
    if (!isRight) differences.push(sayDifference(table, cell, cell.text, one?.text ?? null));
    else if (!hasSpan(one, cell)) differences.push(sayDifference(table, cell, sayCell(cell), sayCell(one)));
  }
  for (const cell of returned)
    if (!wanted.has(placeOf(cell))) differences.push(sayDifference(table, cell, null, cell.text));
  const sizes = { stated: stated.length, returned: returned.length };
  return { places: { right, ...sizes }, cells: { right: spanned, ...sizes }, stated, returned, differences };
}

const sayCell = ({ text, rowSpan, columnSpan }: GridCell): string => `${text} [${rowSpan}×${columnSpan}]`;

function scoreReading(truths: readonly TruthGrid[], grids: readonly Grid[], reading: number): PageScore {
  const pairs = new Map(pairTables(truths, grids).map(({ truth, found }) => [truth, found]));
  const matched = new Set(pairs.values());
  const scored = truths.map((truth, at) => ({
    ruled: truth.ruled,
    score: scoreTable(truth.cells, pairs.get(truth)?.cells ?? [], at),
  }));
  const extra = grids.filter((grid) => !matched.has(grid)).map(({ cells }) => scoreTable([], cells, null));
  const all = [...scored.map(({ score }) => score), ...extra];
  const stated = all.flatMap((one) => relationsOf(one.stated));
  const returned = all.flatMap((one) => relationsOf(one.returned));
  const cellsWhere = (ruled: boolean): Count =>
    addCounts(...scored.filter((one) => one.ruled === ruled).map(({ score }) => score.cells));
  return {
    places: addCounts(...all.map(({ places }) => places)),
    cells: addCounts(...all.map(({ cells }) => cells)),
    relations: { right: sharedCount(stated, returned), stated: stated.length, returned: returned.length },
    ruled: cellsWhere(true),
    unruled: cellsWhere(false),
    reading,
    differences: all.flatMap(({ differences }) => differences),
  };
}

/** Scores a page by the reading of its truth that the reader is nearest to; the same rule holds for all readers. */
export function scorePage(readings: readonly (readonly TruthGrid[])[], grids: readonly Grid[]): PageScore {
  const [first, ...others] = readings.map((truths, at) => scoreReading(truths, grids, at));
  if (first === undefined) throw new RangeError("a page without a reading has no score");
  const rank = ({ cells, relations }: PageScore): number => shareOf(cells).f1 + shareOf(relations).f1 / 1000;
  return others.reduce((best, one) => (rank(one) > rank(best) ? one : best), first);
}
