/** Arithmetic of boxes, in any unit. */
import type { Box } from "../../ports/layout.ts";

export const area = ({ left, top, right, bottom }: Box): number =>
  Math.max(right - left, 0) * Math.max(bottom - top, 0);

export const overlapArea = (a: Box, b: Box): number =>
  area({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });

/** Overlap lengths of two boxes, horizontal and vertical; negative for the gap between them. */
export const boxOverlap = (a: Box, b: Box): { across: number; down: number } => ({
  across: Math.min(a.right, b.right) - Math.max(a.left, b.left),
  down: Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
});

/** The smallest box that holds all of the boxes. @throws RangeError for none */
export function unionBox(boxes: readonly Box[]): Box {
  const first = boxes[0];
  if (first === undefined) throw new RangeError("A union needs at least one box");
  const union = { ...first };
  for (const box of boxes) {
    union.left = Math.min(union.left, box.left);
    union.top = Math.min(union.top, box.top);
    union.right = Math.max(union.right, box.right);
    union.bottom = Math.max(union.bottom, box.bottom);
  }
  return union;
}
