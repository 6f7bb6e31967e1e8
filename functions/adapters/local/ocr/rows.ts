/** What a look at a page left out of rows that it read: a figure alone in its cell is taken for a speck between columns. */

import { type Gray, WHITE } from "../../../engine/imaging/gray-image.ts";
import { median, middleY, unionBox } from "../../../engine/layout/geometry.ts";
import type { Box } from "../../../ports/layout.ts";
import type { ReadWord } from "./tsv.ts";

/** A piece stands in a word's row when its middle lies so far within the word's height, of that height. */
const WITHIN = 0.1;
/** A line so much higher than words are, and higher than wide, runs from top to bottom. */
const STACK = 2;
/** Inches; rows are looked up by bands of this height. */
const BAND = 0.02;
/** Inches: figures of a column stand no further apart across it, and no two of them so near along it. */
const COLUMN = 0.1;
const LEAST_STEP = 0.08;
/** Two figures stand below each other by chance on any page full of them. */
const LEAST_COLUMN = 3;

/** From a row's top to its bottom, and the words that stand in it; inches. */
interface Row {
  top: number;
  bottom: number;
  words: Box[];
}

/** The rows that words stand in, by the bands within their heights. */
function rowsOf(words: readonly ReadWord[]): Map<number, Row> {
  const rows = new Map<number, Row>();
  for (const { box } of words) {
    const inset = WITHIN * (box.bottom - box.top);
    const last = Math.floor((box.bottom - inset) / BAND);
    for (let band = Math.ceil((box.top + inset) / BAND); band < last; band += 1) {
      const row = rows.get(band);
      if (row === undefined) rows.set(band, { top: box.top, bottom: box.bottom, words: [box] });
      else {
        row.top = Math.min(row.top, box.top);
        row.bottom = Math.max(row.bottom, box.bottom);
        row.words.push(box);
      }
    }
  }
  return rows;
}

/**
 * From the word before a piece to the word behind it: read between them, what is alone has a baseline and a size. At
 * least as far as the row is high, a letter that several pieces make up being wider than one; and no word is cut.
 */
function passageAt({ top, bottom, words }: Row, x: number): Box {
  let [before, behind] = [x, x];
  for (const { left, right } of words) {
    if (left < x && (before === x || left > before)) before = left;
    if (right > x && (behind === x || right < behind)) behind = right;
  }
  const reach = bottom - top;
  const passage = { left: Math.min(before, x - reach), top, right: Math.max(behind, x + reach), bottom };
  for (const { left, right } of words) {
    if (left < passage.left && right > passage.left) passage.left = left;
    if (left < passage.right && right > passage.right) passage.right = right;
  }
  return passage;
}

/** What is read again of a row. */
export interface Passage extends Box {
  /** Where the piece stands for which it is, inches. */
  x: number;
}

/**
 * Pieces of ink beside words, on their height.
 * @param stray middles of pieces that no word covers, pixels
 * @param dpi pixels per inch
 * @returns for each the passage of its row to be read again, inches
 */
export function besideWords(
  stray: readonly { x: number; y: number }[],
  dpi: number,
  words: readonly ReadWord[],
): Passage[] {
  const rows = rowsOf(words);
  return stray.flatMap(({ x, y }) => {
    const row = rows.get(Math.floor(y / dpi / BAND));
    return row === undefined ? [] : [{ ...passageAt(row, x / dpi), x: x / dpi }];
  });
}

/** Whether some of the pieces stand below each other, as figures do that are alone in their cells. */
export function haveColumn(passages: readonly Passage[]): boolean {
  const sorted = [...passages].sort((a, b) => a.x - b.x);
  return sorted.some(({ x }, first) => {
    const tops: number[] = [];
    for (let at = first; tops.length < LEAST_COLUMN; at += 1) {
      const next = sorted[at];
      if (next === undefined || next.x - x > COLUMN) return false;
      if (tops.every((top) => Math.abs(top - next.top) >= LEAST_STEP)) tops.push(next.top);
    }
    return true;
  });
}

/** The picture with only some boxes of it, and a margin around each, in inches; elsewhere it is white. */
export function keepBoxes({ width, height, pixels }: Gray, dpi: number, boxes: readonly Box[], margin: number): Gray {
  const kept = new Uint8Array(pixels.length).fill(WHITE);
  for (const box of boxes) {
    const left = Math.max(Math.floor((box.left - margin) * dpi), 0);
    const right = Math.min(Math.ceil((box.right + margin) * dpi), width);
    const bottom = Math.min(Math.ceil((box.bottom + margin) * dpi), height);
    for (let y = Math.max(Math.floor((box.top - margin) * dpi), 0); y < bottom; y += 1) {
      if (right > left) kept.set(pixels.subarray(y * width + left, y * width + right), y * width + left);
    }
  }
  return { width, height, pixels: kept };
}

/** Words of lines that run from top to bottom. */
export function stackedWords(words: readonly ReadWord[]): Set<ReadWord> {
  const usual = median(words.map(({ box }) => box.bottom - box.top));
  const lines = Map.groupBy(words, ({ line }) => line);
  const stacks = [...lines.values()].filter((line) => {
    const { left, top, right, bottom } = unionBox(line.map(({ box }) => box));
    return bottom - top > Math.max(STACK * usual, right - left);
  });
  return new Set(stacks.flat());
}

/** Whether a word in its row has ink of another, which is higher. */
export function crosses(row: Box, other: Box): boolean {
  const middle = middleY(row);
  return middle >= other.top && middle <= other.bottom && row.left < other.right && row.right > other.left;
}
