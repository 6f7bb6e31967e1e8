/** Tells pieces of ink by their shape: rules, letters, drawings. At any resolution and a few degrees askew. */

import type { Box } from "../../../ports/layout.ts";
import { type Components, eachRun, findComponents } from "../connected-components.ts";
import { type GrayImage, turnQuarters, WHITE } from "../gray-image.ts";

/** Thickness of a rule at most, its length at least, and its slope at most: no more than pages lie askew. */
const MAX_RULE_THICKNESS_INCHES = 0.045;
const MIN_RULE_LENGTH_INCHES = 0.4;
const MAX_RULE_SLOPE = 0.1;
/** Least side of a drawing; written words are lower. */
const MIN_DRAWING_SIDE_INCHES = 0.75;
/** Longer side of letters with thick strokes: a smaller one has none, a larger one fits no page. */
const MIN_THICK_LETTER_INCHES = 0.15;
const MAX_LETTER_INCHES = 2.5;
/**
 * Share of its box that a letter fills at most (I and l aside; a disc fills more); gap to the next letter at most and
 * height shared with it at least, in heights of the higher one.
 */
const MAX_LETTER_FILL_SHARE = 0.75;
const MAX_LETTER_GAP_HEIGHTS = 0.8;
const MIN_LETTER_OVERLAP_HEIGHTS = 0.55;
/** Large pieces that are compared; more are a picture's. */
const MAX_LARGE_LETTERS = 2_000;

const widthOf = ({ left, right }: Components, index: number): number => (right[index] ?? 0) - (left[index] ?? 0);
const heightOf = ({ top, bottom }: Components, index: number): number => (bottom[index] ?? 0) - (top[index] ?? 0);

/**
 * Keeps thin ink: black where runs of ink along rows are short, and where lines across them go through; white
 * elsewhere.
 */
function thinInk({ width, pixels }: GrayImage, threshold: number, most: number): Uint8Array {
  const thin = new Uint8Array(pixels.length).fill(WHITE);
  const gaps = new Uint8Array(width).fill(most + 1);
  for (let row = 0; row < pixels.length; row += width) {
    let run = 0;
    for (let at = row; at <= row + width; at += 1) {
      if (at < row + width && (pixels[at] ?? 0) < threshold) run += 1;
      else if (run > 0) {
        if (run <= most) thin.fill(0, at - run, at);
        run = 0;
      }
    }
    for (let x = 0, at = row; x < width; x += 1, at += 1) {
      const gap = gaps[x] ?? 0;
      if (thin[at] === 0) {
        if (gap > 0 && gap <= most) for (let back = 1; back <= gap; back += 1) thin[at - back * width] = 0;
        gaps[x] = 0;
      } else if (gap <= most) gaps[x] = (pixels[at] ?? 0) < threshold ? gap + 1 : most + 1;
    }
  }
  return thin;
}

/** Finds long thin lines down the picture, as runs along its rows. */
function uprightLines(gray: GrayImage, threshold: number, dpi: number): Box[] {
  const { width, height } = gray;
  const found: Box[] = [];
  const most = Math.max(Math.round(MAX_RULE_THICKNESS_INCHES * dpi), 2);
  const lines = findComponents({ width, height, pixels: thinInk(gray, threshold, most) }, 1);
  if (lines === undefined) return found;
  const isRule = (index: number): boolean => {
    const [length, aside] = [heightOf(lines, index), widthOf(lines, index)];
    return length >= MIN_RULE_LENGTH_INCHES * dpi && aside <= MAX_RULE_SLOPE * length + MAX_RULE_THICKNESS_INCHES * dpi;
  };
  eachRun(lines, isRule, (left, right, y) => found.push({ left, top: y, right, bottom: y + 1 }));
  return found;
}

/** Finds pieces of long thin lines, level and upright: rules, frames, axes. @param threshold pixels below it are ink */
export function thinLines(gray: GrayImage, threshold: number, dpi: number): Box[] {
  const { height } = gray;
  const level = uprightLines(turnQuarters(gray, 1), threshold, dpi).map(({ left, top, right, bottom }) => ({
    left: top,
    top: height - right,
    right: bottom,
    bottom: height - left,
  }));
  return [...uprightLines(gray, threshold, dpi), ...level];
}

/** True if a piece is larger both ways than written words. */
export const isLarge = (pieces: Components, index: number, dpi: number): boolean =>
  Math.min(widthOf(pieces, index), heightOf(pieces, index)) >= MIN_DRAWING_SIDE_INCHES * dpi;

/** True if two pieces stand side by side like letters of a word. */
function areBeside(pieces: Components, a: number, b: number): boolean {
  const { left, top, right, bottom } = pieces;
  const height = Math.max(heightOf(pieces, a), heightOf(pieces, b));
  const common = Math.min(bottom[a] ?? 0, bottom[b] ?? 0) - Math.max(top[a] ?? 0, top[b] ?? 0);
  const gap = Math.max((left[a] ?? 0) - (right[b] ?? 0), (left[b] ?? 0) - (right[a] ?? 0));
  return gap <= MAX_LETTER_GAP_HEIGHTS * height && common >= MIN_LETTER_OVERLAP_HEIGHTS * height;
}

/** Test for pieces that may be letters of large type: not filled, and beside another one. */
export function largeLetterTest(pieces: Components, dpi: number): (index: number) => boolean {
  const large: number[] = [];
  for (let index = 0; index < pieces.count; index += 1) {
    const [width, height] = [widthOf(pieces, index), heightOf(pieces, index)];
    const isFilled = (pieces.area[index] ?? 0) > MAX_LETTER_FILL_SHARE * width * height;
    if (!isSmall(pieces, index, dpi) && !isFilled && Math.max(width, height) <= MAX_LETTER_INCHES * dpi)
      large.push(index);
  }
  const some = large.slice(0, MAX_LARGE_LETTERS);
  const beside = new Set(some.filter((a) => some.some((b) => a !== b && areBeside(pieces, a, b))));
  return (index) => beside.has(index);
}

/** True if a piece is too small to have thick strokes. */
export const isSmall = (pieces: Components, index: number, dpi: number): boolean =>
  Math.max(widthOf(pieces, index), heightOf(pieces, index)) < MIN_THICK_LETTER_INCHES * dpi;
