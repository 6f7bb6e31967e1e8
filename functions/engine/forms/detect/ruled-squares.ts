/** Squares of the size of a place to tick that rules enclose. */
import type { Box } from "../../../ports/layout.ts";
import type { Rule } from "../../structure/tables/table-parts.ts";

/** Sides of a checkbox in points: from the smallest print to boxes beside headlines. */
const MIN_SIDE_POINTS = 4.5;
const MAX_SIDE_POINTS = 24;
/** Side of a checkbox that is drawn beside any print, however small, in points: a hand ticks it. */
const USUAL_SIDE_POINTS = 15;
/** Side of a checkbox relative to the page's type; larger squares are cells. */
export const MAX_SIDE_EM = 2.2;
/** The longer side relative to the shorter one. */
const MAX_SIDE_RATIO = 1.35;
/** Distance between corners that should meet, in points: half of a thick frame. */
const MAX_CORNER_GAP_POINTS = 1.2;
/** Short rules that are looked at; more are a pattern. */
const MAX_SHORT_RULES = 6_000;
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= MAX_CORNER_GAP_POINTS;

/** True for a box of the shape and size of a place to tick. */
export const isTickSquare = ({ left, top, right, bottom }: Box, em: number): boolean => {
  const [width, height] = [right - left, bottom - top];
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  return (
    shorter >= MIN_SIDE_POINTS &&
    longer <= Math.min(MAX_SIDE_POINTS, Math.max(MAX_SIDE_EM * em, USUAL_SIDE_POINTS)) &&
    longer <= MAX_SIDE_RATIO * shorter
  );
};

const isShort = ({ from, to }: Rule): boolean =>
  to - from >= MIN_SIDE_POINTS - MAX_CORNER_GAP_POINTS && to - from <= MAX_SIDE_POINTS + 2 * MAX_CORNER_GAP_POINTS;

/** A square, and the four rules that are its sides. */
export interface RuledSquare {
  box: Box;
  sides: Rule[];
  /** Its lines are no thicker than those of a usual frame. */
  isThin: boolean;
}

/** Thickness of a usual frame in points: it is drawn around the field of its size; over a thicker one, the field covers it. */
const USUAL_FRAME_POINTS = 0.5;

const isThin = ({ thickness = 0 }: Rule): boolean => thickness > 0 && thickness <= USUAL_FRAME_POINTS;

function outerBox(box: Box, { thickness = 0 }: Rule): Box {
  const half = thickness > USUAL_FRAME_POINTS ? thickness / 2 : 0;
  return { left: box.left - half, top: box.top - half, right: box.right + half, bottom: box.bottom + half };
}

/** Squares that four short rules enclose. */
export function ruledSquares(horizontal: readonly Rule[], vertical: readonly Rule[], em: number): RuledSquare[] {
  const level = horizontal
    .filter(isShort)
    .slice(0, MAX_SHORT_RULES)
    .sort((a, b) => a.at - b.at);
  const upright = vertical.filter(isShort).slice(0, MAX_SHORT_RULES);
  const byPlace = Map.groupBy(upright, ({ at }) => Math.round(at));
  const sideAt = (at: number, from: number, to: number): Rule | undefined =>
    [-2, -1, 0, 1, 2]
      .flatMap((shift) => byPlace.get(Math.round(at) + shift) ?? [])
      .find((side) => isNear(side.at, at) && isNear(side.from, from) && isNear(side.to, to));
  const found: RuledSquare[] = [];
  for (const [index, top] of level.entries()) {
    for (let next = index + 1; next < level.length; next += 1) {
      const bottom = level[next];
      if (bottom === undefined || bottom.at - top.at > MAX_SIDE_POINTS) break;
      if (!isNear(bottom.from, top.from) || !isNear(bottom.to, top.to)) continue;
      const box = { left: top.from, top: top.at, right: top.to, bottom: bottom.at };
      if (!isTickSquare(box, em)) continue;
      const [left, right] = [sideAt(box.left, box.top, box.bottom), sideAt(box.right, box.top, box.bottom)];
      if (left !== undefined && right !== undefined)
        found.push({ box: outerBox(box, top), sides: [top, bottom, left, right], isThin: isThin(top) });
    }
  }
  return found;
}
