/** Converts PDF points to the inches of the layout model. */
import type { Box } from "../../../ports/layout.ts";

export const POINTS_PER_INCH = 72;

/** Rounded to a ten-thousandth of an inch. */
export const toInches = (points: number): number => Math.round((points / POINTS_PER_INCH) * 10_000) / 10_000;

export const boxInInches = ({ left, top, right, bottom }: Box): Box => ({
  left: toInches(left),
  top: toInches(top),
  right: toInches(right),
  bottom: toInches(bottom),
});

export const boxInPoints = ({ left, top, right, bottom }: Box): Box => ({
  left: left * POINTS_PER_INCH,
  top: top * POINTS_PER_INCH,
  right: right * POINTS_PER_INCH,
  bottom: bottom * POINTS_PER_INCH,
});
