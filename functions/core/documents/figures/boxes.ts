/** Arithmetic of boxes, in any unit. */
import { type Box, unionBox } from "../layout.ts";

export const area = ({ left, top, right, bottom }: Box): number =>
  Math.max(right - left, 0) * Math.max(bottom - top, 0);

export const overlapArea = (a: Box, b: Box): number =>
  area({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });

/** How much two boxes share, sideways and up and down; negative for the space between them. */
export const shared = (a: Box, b: Box): { across: number; down: number } => ({
  across: Math.min(a.right, b.right) - Math.max(a.left, b.left),
  down: Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
});

export const union = (boxes: readonly Box[]): Box => unionBox(boxes);
