/** Assigns the lines of a page to the cells of a grid. */
import type { Box } from "../../../ports/layout.ts";
import { middleX, middleY, spanOverlap } from "../../layout/geometry.ts";
import type { Grid, GridCell } from "./cell-grids.ts";
import { boxOf } from "./choose-grids.ts";
import { areValue } from "./figure-cells.ts";
import { splitLine, type TableLine, type TableWord } from "./table-parts.ts";

/** Cells with text; a grid with fewer is a form to fill in, or a frame. */
const MIN_FILLED_CELLS = 3;
const MAX_HEAD_ROWS = 3;
/** Mean words in a cell; more is a page laid out in frames. */
const MAX_MEAN_CELL_WORDS = 40;

/** Index of the edge before a place: -1 before the first edge, and the last index behind the last. */
function edgeBefore(edges: readonly number[], place: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? Infinity) <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Finds the cell at a point. */
function cellLocator(grid: Grid): (x: number, y: number) => GridCell | undefined {
  const units: (GridCell | undefined)[] = [];
  const width = grid.xs.length;
  for (const cell of grid.cells)
    for (let row = cell.row; row < cell.row + cell.rowSpan; row += 1)
      for (let column = cell.column; column < cell.column + cell.columnSpan; column += 1)
        units[row * width + column] = cell;
  return (x, y) => {
    const [column, row] = [edgeBefore(grid.xs, x), edgeBefore(grid.ys, y)];
    return column < 0 || row < 0 || column >= width - 1 ? undefined : units[row * width + column];
  };
}

export interface FilledGrid<W extends TableWord> {
  cells: Map<GridCell, TableLine<W>[]>;
  rest: TableLine<W>[];
}

const reaches = (box: Box, { box: own }: TableLine<TableWord>): boolean =>
  spanOverlap(own.left, own.right, box.left, box.right) >= 0 &&
  spanOverlap(own.top, own.bottom, box.top, box.bottom) >= 0;

/** Splits lines where cells meet. */
export function fillGrid<W extends TableWord>(grid: Grid, lines: readonly TableLine<W>[]): FilledGrid<W> {
  const box = boxOf(grid);
  const at = cellLocator(grid);
  const cells = new Map<GridCell, TableLine<W>[]>(grid.cells.map((cell) => [cell, []]));
  const rest: TableLine<W>[] = [];
  for (const line of lines) {
    if (!reaches(box, line)) {
      rest.push(line);
      continue;
    }
    for (const { place, line: part } of splitLine(line, (word) => at(middleX(word.box), middleY(word.box))))
      (place === undefined ? rest : (cells.get(place) ?? rest)).push(part);
  }
  return { cells, rest };
}

/** Tells whether a grid holds enough text for a table. @param share least share of the cells that have text */
export function isFilled<W extends TableWord>(grid: Grid, lines: readonly TableLine<W>[], share: number): boolean {
  const box = boxOf(grid);
  const within = lines.filter((line) => reaches(box, line));
  // A page has many more boxes than tables: most are empty, and need no look at their cells.
  if (within.reduce((sum, { words }) => sum + words.length, 0) < MIN_FILLED_CELLS) return false;
  const filled = [...fillGrid(grid, within).cells.values()];
  const rows = new Set(grid.cells.map(({ row }) => row)).size;
  // The bands behind headings are no table by themselves.
  if (share > 0 && rows <= MAX_HEAD_ROWS && !filled.some(areValue)) return false;
  const texts = filled.filter((own) => own.length > 0);
  const words = texts.reduce((sum, own) => own.reduce((count, line) => count + line.words.length, sum), 0);
  return (
    texts.length >= Math.max(MIN_FILLED_CELLS, share * filled.length) && words <= MAX_MEAN_CELL_WORDS * texts.length
  );
}
