/** Parts of rows that a pass did not read: a figure alone in its cell is taken for a speck between columns. */

import { type GrayImage, WHITE } from "../../../engine/imaging/gray-image.ts";
import { median, middleY, unionBox } from "../../../engine/layout/geometry.ts";
import type { Box } from "../../../ports/layout.ts";
import type { ReadWord } from "./tesseract-tsv.ts";

/** Share of a word's height that the middle of a piece in its row lies within that height. */
const ROW_INSET_SHARE = 0.1;
/** A line that is this many times higher than the median word, and higher than wide, runs from top to bottom. */
const STACKED_HEIGHT_RATIO = 2;
/** Height of the bands that index rows. */
const BAND_INCHES = 0.02;
/** Figures of a column stand no further apart across it, and no closer along it. */
const MAX_COLUMN_SPREAD_INCHES = 0.1;
const MIN_COLUMN_STEP_INCHES = 0.08;
/** Figures of a column; two stand below each other by chance on any page full of them. */
const MIN_COLUMN_FIGURES = 3;

/** A row and its words, inches. */
interface Row {
  top: number;
  bottom: number;
  words: Box[];
}

/** The rows of words, indexed by the bands within their heights. */
function rowsByBand(words: readonly ReadWord[]): Map<number, Row> {
  const rows = new Map<number, Row>();
  for (const { box } of words) {
    const inset = ROW_INSET_SHARE * (box.bottom - box.top);
    const last = Math.floor((box.bottom - inset) / BAND_INCHES);
    for (let band = Math.ceil((box.top + inset) / BAND_INCHES); band < last; band += 1) {
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
 * The part of a row from the word before a piece to the word after it: read between them, a lone figure has a baseline
 * and a size. It is at least as wide as the row is high, because several pieces make up a letter wider than one; and no
 * word is cut.
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

/** A part of a row that is read again. */
export interface Passage extends Box {
  /** Place of the piece that it is read for, inches. */
  x: number;
}

/**
 * Finds the pieces of ink beside words, at their height.
 * @param stray middles of pieces that no word covers, pixels
 * @param dpi pixels per inch
 * @returns for each piece the part of its row to read again, inches
 */
export function passagesBesideWords(
  stray: readonly { x: number; y: number }[],
  dpi: number,
  words: readonly ReadWord[],
): Passage[] {
  const rows = rowsByBand(words);
  return stray.flatMap(({ x, y }) => {
    const row = rows.get(Math.floor(y / dpi / BAND_INCHES));
    return row === undefined ? [] : [{ ...passageAt(row, x / dpi), x: x / dpi }];
  });
}

/** True if some of the pieces stand below each other, as lone figures of a column do. */
export function formColumn(passages: readonly Passage[]): boolean {
  const sorted = [...passages].sort((a, b) => a.x - b.x);
  return sorted.some(({ x }, first) => {
    const tops: number[] = [];
    for (let at = first; tops.length < MIN_COLUMN_FIGURES; at += 1) {
      const next = sorted[at];
      if (next === undefined || next.x - x > MAX_COLUMN_SPREAD_INCHES) return false;
      if (tops.every((top) => Math.abs(top - next.top) >= MIN_COLUMN_STEP_INCHES)) tops.push(next.top);
    }
    return true;
  });
}

/** Copies the picture with only some boxes, and a margin around each, in inches; everything else is white. */
export function keepOnlyBoxes(
  { width, height, pixels }: GrayImage,
  dpi: number,
  boxes: readonly Box[],
  margin: number,
): GrayImage {
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

/** Words in lines that run from top to bottom. */
export function stackedWords(words: readonly ReadWord[]): Set<ReadWord> {
  const usual = median(words.map(({ box }) => box.bottom - box.top));
  const lines = Map.groupBy(words, ({ line }) => line);
  const stacks = [...lines.values()].filter((line) => {
    const { left, top, right, bottom } = unionBox(line.map(({ box }) => box));
    return bottom - top > Math.max(STACKED_HEIGHT_RATIO * usual, right - left);
  });
  return new Set(stacks.flat());
}

/** True if a word covers ink of another, higher word at the middle of its row. */
export function crossesWord(row: Box, other: Box): boolean {
  const middle = middleY(row);
  return middle >= other.top && middle <= other.bottom && row.left < other.right && row.right > other.left;
}
