/** Adds to a grid the text that its lines leave open: headings above its first line, and corners without a line. */
import type { Box } from "../../../ports/layout.ts";
import { median, middleX, spanOverlap } from "../../layout/geometry.ts";
import { groupIntoRows, type LineRow } from "../line-rows.ts";
import type { Grid, GridCell } from "./cell-grids.ts";
import { areValue, isLabel, isPeriod } from "./figure-cells.ts";
import { type Rules, rulesBetween } from "./rule-positions.ts";
import { shareColumns } from "./shared-columns.ts";
import { type TableLine, type TableWord, textOf } from "./table-parts.ts";

/** Distance of a heading from the line or the heading beneath it; a table's title stands further off or alone. */
const MAX_HEADING_GAP_EM = 0.8;
const MAX_HEADING_ROWS = 3;
/** Size of a heading, in sizes of the page's text; a title is set larger. */
const MAX_HEADING_SIZE_RATIO = 1.4;
/** Share of the columns, without the first, that headings above a line stand over. */
const MIN_HEADED_COLUMNS_SHARE = 0.6;
/** Overlap with a column from which a heading stands over it, too. */
const MIN_OVERLAP_EM = 0.3;

/** Height above headings in which a line makes them another box's text: a form's. */
const MAX_BOX_GAP_EM = 1.5;

/** Adds a cell for each place of a grid that no line encloses: a corner that is left open. */
export function withOpenCells(grid: Grid): Grid {
  const [rows, columns] = [grid.ys.length - 1, grid.xs.length - 1];
  const taken = new Set<number>();
  for (const { row, column, rowSpan, columnSpan } of grid.cells)
    for (let y = row; y < row + rowSpan; y += 1)
      for (let x = column; x < column + columnSpan; x += 1) taken.add(y * columns + x);
  if (taken.size === rows * columns) return grid;
  const open = Array.from({ length: rows * columns }, (_, unit) => unit)
    .filter((unit) => !taken.has(unit))
    .map((unit) => ({ row: Math.floor(unit / columns), column: unit % columns, rowSpan: 1, columnSpan: 1 }));
  return { ...grid, cells: [...grid.cells, ...open].sort((a, b) => a.row - b.row || a.column - b.column) };
}

/** The columns that a line stands over; undefined for one that is no heading of them. */
function columnsUnder(line: TableLine, { xs }: Grid): [from: number, to: number] | undefined {
  const { left, right } = line.box;
  if (left < (xs[0] ?? 0) - line.size || right > (xs.at(-1) ?? 0) + line.size) return undefined;
  const text = textOf([line]);
  if (isLabel(text) || (areValue([line]) && !isPeriod(text))) return undefined;
  const least = Math.min(MIN_OVERLAP_EM * line.size, 0.5 * (right - left));
  const own = xs.slice(1).flatMap((edge, column) => {
    const overlap = spanOverlap(xs[column] ?? edge, edge, left, right);
    return overlap > least ? [column] : [];
  });
  const [from, to] = [own[0], own.at(-1)];
  return from === undefined || to === undefined ? undefined : [from, to];
}

/** The cells that a row of lines above the grid makes; undefined where they do not head its columns. */
function headingCells(row: LineRow<TableLine>, grid: Grid): Omit<GridCell, "row">[] | undefined {
  if (row.lines.length < 2) return undefined;
  const columns = grid.xs.slice(1).map(
    (right, column): Pick<Box, "left" | "right"> => ({
      left: grid.xs[column] ?? right,
      right,
    }),
  );
  const own = row.lines.map((line) => columnsUnder(line, grid));
  const spans: [number, number][] = [];
  for (const span of own) {
    if (span === undefined || span[0] <= (spans.at(-1)?.[1] ?? -1)) return undefined;
    spans.push(span);
  }
  const shared =
    shareColumns(
      row.lines.map(({ box }) => middleX(box)),
      columns.map(middleX),
    ) ?? spans;
  const headed = shared.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (headed < MIN_HEADED_COLUMNS_SHARE * (columns.length - 1)) return undefined;
  return shared.map(([from, to]) => ({ column: from, rowSpan: 1, columnSpan: to - from + 1 }));
}

/** True if lines stand beside a row above the grid, or above it: it belongs to another box. */
function isBoxed({ box, size }: LineRow<TableLine>, { xs }: Grid, { horizontal, vertical }: Rules): boolean {
  const [left, right] = [xs[0] ?? 0, xs.at(-1) ?? 0];
  const above = rulesBetween(horizontal, box.top - MAX_BOX_GAP_EM * size, box.bottom - 0.5 * size);
  if (above.some((rule) => spanOverlap(rule.from, rule.to, left, right) > size)) return true;
  return rulesBetween(vertical, left - size, right + size).some(
    (rule) => spanOverlap(rule.from, rule.to, box.top, box.bottom) > 0.5 * size,
  );
}

/** Extends the grid by the rows of headings that stand on its first line, where none of them is in a box. */
export function withHeadingsAbove<W extends TableWord>(grid: Grid, lines: readonly TableLine<W>[], rules: Rules): Grid {
  const [left, right, top] = [grid.xs[0] ?? 0, grid.xs.at(-1) ?? 0, grid.ys[0] ?? 0];
  const em = median(lines.map((line) => line.size));
  const near = lines.filter(
    ({ box }) =>
      box.bottom <= top + MIN_OVERLAP_EM * em &&
      box.bottom > top - 2 * MAX_HEADING_ROWS * em &&
      spanOverlap(box.left, box.right, left, right) > 0,
  );
  const added: { top: number; cells: Omit<GridCell, "row">[] }[] = [];
  let edge = top;
  for (const row of groupIntoRows(near).reverse().slice(0, MAX_HEADING_ROWS)) {
    if (edge - row.box.bottom > MAX_HEADING_GAP_EM * row.size || row.size > MAX_HEADING_SIZE_RATIO * em) break;
    const cells = isBoxed(row, grid, rules) ? undefined : headingCells(row, grid);
    if (cells === undefined) break;
    added.unshift({ top: row.box.top, cells });
    edge = row.box.top;
  }
  if (added.length === 0) return grid;
  const moved = grid.cells.map((cell) => ({ ...cell, row: cell.row + added.length }));
  const headings = added.flatMap(({ cells }, row) => cells.map((cell) => ({ ...cell, row })));
  return withOpenCells({
    xs: grid.xs,
    ys: [...added.map((row) => row.top), ...grid.ys],
    cells: [...headings, ...moved],
  });
}
