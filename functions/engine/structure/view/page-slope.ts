/**
 * How far the rows of a scanned page fall or rise: what stands on one row of it is not at one height. The slope at which
 * words fall into the fewest rows, after H. Baird, "The skew angle of printed documents" (1987).
 */

import type { Box, Word } from "../../../ports/layout.ts";
import { median } from "../../layout/geometry.ts";

/** Words that tell, and the most that are asked. */
const LEAST_WORDS = 20;
const MOST_WORDS = 1_000;
/** Inches down by inch to the right: less is no matter across a page, more is no page that somebody laid down straight (6 degrees). */
const LEVEL = 0.004;
const MOST = 0.1;
const STEP = 0.002;
/** Of a word's usual height: words whose middles are this near are in one row. */
const ROW = 0.5;
/** So much clearer than level rows the sloping ones must be. */
const CLEARER = 1.15;

/** The middle of a box were the page level: sheared about its left edge. */
export const levelMiddle = ({ left, top, right, bottom }: Box, slope: number): number =>
  (top + bottom - slope * (left + right)) / 2;

/** How many pairs of words share a row at a slope; each word is counted in two rows that overlap. */
function clarity(boxes: readonly Box[], slope: number, row: number): number {
  const counts = new Map<number, number>();
  for (const box of boxes) {
    const at = Math.floor(levelMiddle(box, slope) / row);
    for (const bin of [at, at + 1]) counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  return [...counts.values()].reduce((sum, count) => sum + count * count, 0);
}

/** @returns inches down by inch to the right of a page's recognised words, 0 where their rows are level */
export function pageSlope(words: readonly Word[]): number {
  const boxes = words
    .filter(({ source, confidence }) => source === "ocr" || confidence !== undefined)
    .map(({ box }) => box);
  if (boxes.length < LEAST_WORDS) return 0;
  const asked = boxes.slice(0, MOST_WORDS);
  const row = ROW * median(asked.map(({ top, bottom }) => bottom - top));
  if (row <= 0) return 0;
  const level = clarity(asked, 0, row);
  let [best, clearest] = [0, level * CLEARER];
  for (let step = Math.round(-MOST / STEP); step <= MOST / STEP; step += 1) {
    const found = clarity(asked, step * STEP, row);
    if (found > clearest) [best, clearest] = [step * STEP, found];
  }
  return Math.abs(best) < LEVEL ? 0 : best;
}
