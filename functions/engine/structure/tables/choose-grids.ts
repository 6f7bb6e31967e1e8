/** Chooses the grids of a page: those of rules, and those of filled cells where rules enclose less. */
import type { Box } from "../../../ports/layout.ts";
import { area, intersects } from "../../layout/geometry.ts";
import { findGrids, type Grid } from "./cell-grids.ts";
import { findLattices } from "./lattice.ts";
import type { Rules } from "./rule-positions.ts";

/** Grids of a page; of more, the largest stay. */
const MAX_GRIDS = 200;
/** Share of cells with text where only fills bound them: forms are tinted, too, and their boxes are empty. */
const MIN_FILLED_SHARE_OF_FILLS = 0.4;

/** The box that a grid covers. */
export const boxOf = (grid: Grid): Box => ({
  left: grid.xs[0] ?? 0,
  right: grid.xs.at(-1) ?? 0,
  top: grid.ys[0] ?? 0,
  bottom: grid.ys.at(-1) ?? 0,
});

/** The grids that rules enclose, the smallest first. */
export const gridsOf = (rules: Rules, em: number): Grid[] =>
  findLattices(rules, em)
    .flatMap(findGrids)
    .sort((a, b) => area(boxOf(b)) - area(boxOf(a)))
    .slice(0, MAX_GRIDS)
    .reverse();

/** True if a grid is the part of a larger one that has as many columns. */
function isPartOf(grid: Grid, larger: Grid, em: number): boolean {
  if (larger.xs.length < grid.xs.length || larger.ys.length <= grid.ys.length) return false;
  const [inner, outer] = [boxOf(grid), boxOf(larger)];
  return (
    inner.left > outer.left - em &&
    inner.right < outer.right + em &&
    inner.top > outer.top - em &&
    inner.bottom < outer.bottom + em
  );
}

/** Grids of rules, then those of filled cells; of these, one comes first where rules enclose just a part of it. */
export function chooseGrids(
  ruled: readonly Grid[],
  filled: readonly Grid[],
  em: number,
): { grid: Grid; share: number }[] {
  const whole = filled.filter((larger) => {
    const own = ruled.filter((grid) => intersects(boxOf(grid), boxOf(larger)));
    return own.length === 1 && own.every((grid) => isPartOf(grid, larger, em));
  });
  const sure = new Set(ruled);
  return [...whole, ...ruled, ...filled].map((grid) => ({
    grid,
    share: sure.has(grid) ? 0 : MIN_FILLED_SHARE_OF_FILLS,
  }));
}
