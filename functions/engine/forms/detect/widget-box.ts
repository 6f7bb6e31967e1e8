/** The box of the form field for a place to write: authors do not put fields exactly on what is printed. */
import type { Box } from "../../../ports/layout.ts";
import type { Candidate, Shape } from "./candidate.ts";
import { hasEvenSides } from "./tick-layout.ts";

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
 * By how much the field of a square with a thin frame is larger on each side, in points: half of the usual frame. Of
 * steps of 0.05 to 0.15, the one that suits the squares of 12 open forms; on thicker frames and white boxes it gains nothing.
 */
const FRAME_POINTS = 0.25;
/** Step of the sides of squares that a program for forms draws with their fields, as large as these, in points. */
const EVEN_STEP_POINTS = 0.5;

type WidgetPlace = Pick<Candidate, "shape" | "box" | "thinFrame">;

const framed = ({ left, top, right, bottom }: Box): Box => ({
  left: left - FRAME_POINTS,
  top: top - FRAME_POINTS,
  right: right + FRAME_POINTS,
  bottom: bottom + FRAME_POINTS,
});

/**
 * The box of the field for a place, in the frame of the page's text, points. Reading looks at the place itself.
 * @param em usual type size of the page, points
 */
export function widgetBox({ shape, box, thinFrame = false }: WidgetPlace, em: number): Box {
  if (thinFrame && !hasEvenSides(box, EVEN_STEP_POINTS)) return framed(box);
  const shift = SHIFTS[shape];
  if (shift === undefined) return box;
  return {
    left: box.left + shift.left * em,
    top: box.top + shift.top * em,
    right: box.right + shift.right * em,
    bottom: box.bottom + shift.bottom * em,
  };
}
