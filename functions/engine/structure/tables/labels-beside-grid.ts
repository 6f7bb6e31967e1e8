/** Adds to a grid of values the labels of its rows that stand left of its lines: a column that is not drawn. */
import { middleY, spanOverlap } from "../../layout/geometry.ts";
import type { Grid } from "./cell-grids.ts";
import { areValue } from "./figure-cells.ts";
import { type Rules, rulesBetween } from "./rule-positions.ts";
import type { TableLine, TableWord } from "./table-parts.ts";

/** Rows with one label each; lines of text stand beside fewer by chance. */
const MIN_LABELS = 4;
/** Distance between the left edges of labels, at most: an indent. */
const MAX_INDENT_EM = 2;
/** Words of a label; a line of running text has more. */
const MAX_LABEL_WORDS = 8;

/** True if a grid's first column has values, and nothing else but headings in its first row. */
const beginsWithValues = (grid: Grid, lines: readonly TableLine[]): boolean => {
  const [left, right, top] = [grid.xs[0] ?? 0, grid.xs[1] ?? 0, grid.ys[1] ?? 0];
  const own = lines.filter(
    ({ box }) => box.left >= left && box.left < right && middleY(box) > top && middleY(box) < (grid.ys.at(-1) ?? 0),
  );
  return own.every((line) => areValue([line]));
};

/** True if lines are drawn at labels: they are in a box of their own. */
const isBoxed = ({ box, size }: TableLine, left: number, { horizontal, vertical }: Rules): boolean =>
  rulesBetween(horizontal, box.top - size, box.bottom + size).some(
    (rule) => spanOverlap(rule.from, rule.to, box.left, box.right) > size,
  ) ||
  rulesBetween(vertical, box.left - size, left - size).some(
    (rule) => spanOverlap(rule.from, rule.to, box.top, box.bottom) > 0.5 * size,
  );

/** Extends a grid to the left where a label stands beside each of its rows, beside the first at most one. */
export function withLabelsBeside<W extends TableWord>(grid: Grid, lines: readonly TableLine<W>[], rules: Rules): Grid {
  const [edge, rows] = [grid.xs[0] ?? 0, grid.ys.length - 1];
  const byRow = Array.from({ length: rows }, (): TableLine<W>[] => []);
  for (const line of lines)
    if (line.box.right <= edge) byRow[grid.ys.findLastIndex((y) => y <= middleY(line.box))]?.push(line);
  const [head = [], ...body] = byRow;
  const labels = byRow.flat();
  if (body.length < MIN_LABELS || head.length > 1 || body.some((own) => own.length !== 1)) return grid;
  if (labels.some((line) => areValue([line]) || line.words.length > MAX_LABEL_WORDS || isBoxed(line, edge, rules)))
    return grid;
  const lefts = labels.map(({ box }) => box.left);
  const left = Math.min(...lefts);
  if (Math.max(...lefts) - left > MAX_INDENT_EM * (labels[0]?.size ?? 0) || !beginsWithValues(grid, lines)) return grid;
  const added = byRow.map((_, row) => ({ row, column: 0, rowSpan: 1, columnSpan: 1 }));
  return {
    xs: [left, ...grid.xs],
    ys: grid.ys,
    cells: [...added, ...grid.cells.map((cell) => ({ ...cell, column: cell.column + 1 }))].sort(
      (a, b) => a.row - b.row || a.column - b.column,
    ),
  };
}
