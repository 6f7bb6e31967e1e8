/**
 * Measures the slope of the rows of a scanned page, whose words are not at one height. The slope at which words fall
 * into the fewest rows, after H. Baird, "The skew angle of printed documents" (1987).
 */

import type { Box, Word } from "../../../ports/layout.ts";
import { median } from "../../layout/geometry.ts";

/** Words that tell a slope, and words that are measured at most. */
const MIN_WORDS = 20;
const MAX_WORDS = 1_000;
/**
 * Slopes in inches down by inch to the right: below the first the page is level, above the second nobody laid it down
 * straight (6 degrees).
 */
const MAX_LEVEL_SLOPE = 0.004;
const MAX_SLOPE = 0.1;
const SLOPE_STEP = 0.002;
/** Height of a row, in median heights of words: words whose middles are this near are in one row. */
const ROW_HEIGHTS = 0.5;
/** Factor by which sloping rows must be clearer than level ones. */
const MIN_CLARITY_RATIO = 1.15;

/** Middle of a box on the level page: sheared about its left edge. */
export const levelMiddle = ({ left, top, right, bottom }: Box, slope: number): number =>
  (top + bottom - slope * (left + right)) / 2;

/** Number of pairs of words that share a row at a slope; each word counts in two rows that overlap. */
function clarity(boxes: readonly Box[], slope: number, row: number): number {
  const counts = new Map<number, number>();
  for (const box of boxes) {
    const at = Math.floor(levelMiddle(box, slope) / row);
    for (const bin of [at, at + 1]) counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  return [...counts.values()].reduce((sum, count) => sum + count * count, 0);
}

/** Measures the slope of a page's recognised words. @returns inches down by inch to the right, 0 for level rows */
export function pageSlope(words: readonly Word[]): number {
  const boxes = words
    .filter(({ source, confidence }) => source === "ocr" || confidence !== undefined)
    .map(({ box }) => box);
  if (boxes.length < MIN_WORDS) return 0;
  const asked = boxes.slice(0, MAX_WORDS);
  const row = ROW_HEIGHTS * median(asked.map(({ top, bottom }) => bottom - top));
  if (row <= 0) return 0;
  const level = clarity(asked, 0, row);
  let [best, clearest] = [0, level * MIN_CLARITY_RATIO];
  for (let step = Math.round(-MAX_SLOPE / SLOPE_STEP); step <= MAX_SLOPE / SLOPE_STEP; step += 1) {
    const found = clarity(asked, step * SLOPE_STEP, row);
    if (found > clearest) [best, clearest] = [step * SLOPE_STEP, found];
  }
  return Math.abs(best) < MAX_LEVEL_SLOPE ? 0 : best;
}
