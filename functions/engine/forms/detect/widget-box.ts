/** The box of the form field for a place to write: authors do not put fields exactly on what is printed. */
import type { Box } from "../../../ports/layout.ts";
import type { Candidate, Shape } from "./candidate.ts";

/**
 * By how much the sides of a field are moved from those of its place, in ems: the middle of what the authors of 64 open
 * forms did, in steps of 0.05. Fields in cells keep off the rules. A character that shows a box is larger than its letter
 * box suggests and stands on the baseline; so does a mark before an answer. Fields on drawn boxes, circles and lines
 * have their sides.
 */
const SHIFTS: Partial<Record<Shape, Box>> = {
  cell: { left: 0.05, top: 0.05, right: -0.05, bottom: -0.05 },
  mark: { left: -0.05, top: -0.1, right: 0.05, bottom: 0 },
  wording: { left: -0.05, top: -0.15, right: -0.05, bottom: -0.15 },
};

/**
 * The box of the field for a place, in the frame of the page's text, points. Reading looks at the place itself.
 * @param em usual type size of the page, points
 */
export function widgetBox({ shape, box }: Pick<Candidate, "shape" | "box">, em: number): Box {
  const shift = SHIFTS[shape];
  if (shift === undefined) return box;
  return {
    left: box.left + shift.left * em,
    top: box.top + shift.top * em,
    right: box.right + shift.right * em,
    bottom: box.bottom + shift.bottom * em,
  };
}
