/**
 * Adjacency relations (M. Göbel and others, A Methodology for Evaluating Algorithms for Table Understanding in PDF
 * Documents, 2012): each cell with text and its nearest neighbours with text to the right and below. They forgive a
 * row or column too many, which moves the position of every cell behind it.
 */
import { comparedText, type GridCell } from "./grid.ts";

type Axis = { from: "row" | "column"; span: "rowSpan" | "columnSpan" };
const ACROSS: Axis = { from: "column", span: "columnSpan" };
const DOWN: Axis = { from: "row", span: "rowSpan" };

const startOf = (cell: GridCell, { from }: Axis): number => cell[from];
const endOf = (cell: GridCell, { from, span }: Axis): number => cell[from] + cell[span];

/** The nearest cells behind one, one for each line of the other axis that it covers. */
function neighboursOf(cell: GridCell, cells: readonly GridCell[], along: Axis, other: Axis): Set<GridCell> {
  const found = new Set<GridCell>();
  for (let line = startOf(cell, other); line < endOf(cell, other); line += 1) {
    let nearest: GridCell | undefined;
    for (const one of cells) {
      const isBehind = startOf(one, along) >= endOf(cell, along);
      if (!isBehind || startOf(one, other) > line || endOf(one, other) <= line) continue;
      if (nearest === undefined || startOf(one, along) < startOf(nearest, along)) nearest = one;
    }
    if (nearest !== undefined) found.add(nearest);
  }
  return found;
}

/** The relations of a table, as texts that are equal where they say the same. */
export function relationsOf(cells: readonly GridCell[]): string[] {
  const texts = new Map(cells.map((cell) => [cell, comparedText(cell.text)]));
  const say = (kind: string, cell: GridCell, next: GridCell): string =>
    `${kind}\n${texts.get(cell) ?? ""}\n${texts.get(next) ?? ""}`;
  return cells.flatMap((cell) => [
    ...[...neighboursOf(cell, cells, ACROSS, DOWN)].map((next) => say("right", cell, next)),
    ...[...neighboursOf(cell, cells, DOWN, ACROSS)].map((next) => say("below", cell, next)),
  ]);
}

/** The number of texts that two lists have in common, each as often as it is in both. */
export function sharedCount(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const text of one) left.set(text, (left.get(text) ?? 0) + 1);
  return other.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  }).length;
}
