/** Known places to write as detection sees places: in the cell that they fill, on the rule that they stand on, or alone. */
import type { Box } from "../../../ports/layout.ts";
import { area, containsMiddle, overlapShare } from "../../layout/geometry.ts";
import type { Candidate } from "../detect/candidate.ts";
import type { PageSpace } from "../detect/page-space.ts";

/** Share of a place that a drawn cell covers for the place to be in the cell. */
const MIN_CELL_SHARE = 0.6;
/** Distance of a rule from the foot of a place that stands on it, in ems. */
const MAX_RULE_DISTANCE_EM = 0.7;

/** @param boxes all places of the page: a cell with several of them is none's own */
export function placeToWrite(box: Box, boxes: readonly Box[], space: PageSpace): Candidate {
  const cell = space.cells
    .filter((one) => containsMiddle(one.box, box) && overlapShare(one.box, box) >= MIN_CELL_SHARE)
    .reduce<Box | undefined>((best, one) => (best && area(best) <= area(one.box) ? best : one.box), undefined);
  const isAlone = cell !== undefined && !boxes.some((other) => other !== box && containsMiddle(cell, other));
  if (cell !== undefined && isAlone) return { shape: "cell", box, around: cell };
  const isOnRule = [...space.rules.horizontal, ...space.content.underscores].some(
    ({ at, from, to }) =>
      Math.abs(at - box.bottom) <= MAX_RULE_DISTANCE_EM * space.em && from < box.right && to > box.left,
  );
  return { shape: isOnRule ? "rule" : "box", box, around: box };
}
