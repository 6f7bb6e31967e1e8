/** How exactly the places to tick of a page were laid out: signs of whether form fields have the same places. */
import type { Box } from "../../../ports/layout.ts";
import type { Candidate, Shape } from "./candidate.ts";

/** Distance of two edges that are one line, in points: what rounding of coordinates leaves. */
const SAME_LINE_POINTS = 0.3;
/** Distance of two edges that a person would have made one line, in points: half of a small box to tick. */
const NEAR_LINE_POINTS = 4;
/** Distance of a side from a whole multiple that is one, in points: rounding of coordinates to tenths. */
const EVEN_POINTS = 0.06;

/** True for each edge that misses a line of another by a little. @param edges of boxes of one shape, points */
function missesLine(edges: readonly number[]): boolean[] {
  const order = edges.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at);
  const misses = edges.map(() => false);
  let next = 0;
  for (const { at, index } of order) {
    // The first edge beyond the same line; as `at` grows, so does its place.
    while (next < order.length && (order[next]?.at ?? at) <= at + SAME_LINE_POINTS) next += 1;
    const other = order[next];
    if (other === undefined || other.at > at + NEAR_LINE_POINTS) continue;
    misses[index] = true;
    for (let to = next; to < order.length && (order[to]?.at ?? Infinity) <= at + NEAR_LINE_POINTS; to += 1)
      misses[order[to]?.index ?? 0] = true;
  }
  return misses;
}

/**
 * Share of a page's places to tick of each shape that miss the column or row of another by a little: they were set by
 * hand, and so were their fields. Forms that a program lays out have none.
 */
export function misalignedShares(choices: readonly Candidate[]): Map<Shape, number> {
  const byShape = Map.groupBy(choices, ({ shape }) => shape);
  return new Map(
    [...byShape].map(([shape, own]) => {
      const columns = missesLine(own.map(({ box }) => box.left));
      const rows = missesLine(own.map(({ box }) => box.top));
      return [shape, columns.filter((isOff, index) => isOff || rows[index] === true).length / own.length];
    }),
  );
}

/**
 * True for a box whose sides are whole multiples of a step: programs for forms draw it and its field as one.
 * @param step points
 */
export const hasEvenSides = ({ left, top, right, bottom }: Box, step: number): boolean =>
  [right - left, bottom - top].every((side) => Math.abs(side - Math.round(side / step) * step) < EVEN_POINTS);
