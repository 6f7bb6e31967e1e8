/** What a look at a page left out of rows that it read: a figure alone in its cell is taken for a speck between columns. */
import { type Box, unionBox } from "../../../core/documents/layout.ts";
import type { ReadWord } from "./tsv.ts";

/** A piece stands in a word's row when its middle lies so far within the word's height, of that height. */
const WITHIN = 0.1;
/** A line so much higher than words are, and higher than wide, runs from top to bottom. */
const STACK = 2;
/** Inches; rows are looked up by bands of this height. */
const BAND = 0.02;

/** The heights of the page, in bands, that lie within a word. */
function bandsOf(words: readonly ReadWord[]): Set<number> {
  const bands = new Set<number>();
  for (const { box } of words) {
    const inset = WITHIN * (box.bottom - box.top);
    const last = Math.floor((box.bottom - inset) / BAND);
    for (let band = Math.ceil((box.top + inset) / BAND); band < last; band += 1) bands.add(band);
  }
  return bands;
}

/**
 * Pieces of ink beside words, on their height.
 * @param stray middles of pieces that no word covers, pixels
 * @param dpi pixels per inch
 * @returns how many, and around them, in pixels; undefined when there are none
 */
export function besideWords(
  stray: readonly { x: number; y: number }[],
  dpi: number,
  words: readonly ReadWord[],
): { pieces: number; bounds: Box } | undefined {
  const bands = bandsOf(words);
  const beside = stray.filter(({ y }) => bands.has(Math.floor(y / dpi / BAND)));
  if (beside.length === 0) return undefined;
  return {
    pieces: beside.length,
    bounds: unionBox(beside.map(({ x, y }) => ({ left: x, top: y, right: x, bottom: y }))),
  };
}

/** Words of lines that run from top to bottom. */
export function stackedWords(words: readonly ReadWord[]): Set<ReadWord> {
  const heights = words.map(({ box }) => box.bottom - box.top).sort((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 0;
  const lines = Map.groupBy(words, ({ line }) => line);
  const stacks = [...lines.values()].filter((line) => {
    const { left, top, right, bottom } = unionBox(line.map(({ box }) => box));
    return bottom - top > Math.max(STACK * usual, right - left);
  });
  return new Set(stacks.flat());
}

/** Whether a word in its row has ink of another, which is higher. */
export function crosses(row: Box, other: Box): boolean {
  const middle = (row.top + row.bottom) / 2;
  return middle >= other.top && middle <= other.bottom && row.left < other.right && row.right > other.left;
}
