/** A possible place to write, before it is judged. */
import type { Box } from "../../../ports/layout.ts";

/** The thing on the page that suggests a place. */
export const SHAPES = [
  "cell",
  "box",
  "comb",
  "rule",
  "lines",
  "underscore",
  "leader",
  "square",
  "round",
  "mark",
  "brackets",
  "wording",
] as const;
export type Shape = (typeof SHAPES)[number];

export interface Candidate {
  shape: Shape;
  /** Points, in the frame of the page's text. */
  box: Box;
  /** The cell, or the rule with the room above it, that the place was found in. */
  around: Box;
  /** Cells for one character each. */
  comb?: number;
  /** A square of lines no thicker than usual, of which `box` has the middles. */
  thinFrame?: boolean;
}

const CHOICE_SHAPES: ReadonlySet<Shape> = new Set(["square", "round", "mark", "brackets", "wording"]);

/** True for a place to tick, false for one to write in. */
export const isChoice = ({ shape }: Pick<Candidate, "shape">): boolean => CHOICE_SHAPES.has(shape);

const LINE_SHAPES: ReadonlySet<Shape> = new Set(["rule", "lines", "underscore", "leader"]);

/** True for a place over a line, false for one within a box or a place to tick. */
export const isLine = ({ shape }: Pick<Candidate, "shape">): boolean => LINE_SHAPES.has(shape);
