/** What pieces of ink are by their shape: rules, letters, drawings. At any resolution and a few degrees askew. */

import type { Box } from "../../../ports/layout.ts";
import { type Components, eachRun, findComponents } from "../connected-components.ts";
import { type Gray, turnQuarters, WHITE } from "../gray-image.ts";

/** Inches: a rule is no thicker, and no shorter; over its length it rises no more than pages lie askew. */
const RULE_THICKNESS = 0.045;
const RULE_LENGTH = 0.4;
const RULE_SLOPE = 0.1;
/** Inches, both ways: written words are lower. */
const LEAST_DRAWING = 0.75;
/** Inches: a smaller letter has no thick strokes, a larger one fits no page. */
const SMALL_LETTER = 0.15;
const LARGEST_LETTER = 2.5;
/** Of its box a letter fills no more, I and l aside, and a disc does; the next one is as near, and shares as much, of their height. */
const LETTER_FILL = 0.75;
const LETTER_GAP = 0.8;
const LETTER_SHARED = 0.55;
/** More large pieces are a picture's. */
const MOST_LETTERS = 2_000;

const widthOf = ({ left, right }: Components, index: number): number => (right[index] ?? 0) - (left[index] ?? 0);
const heightOf = ({ top, bottom }: Components, index: number): number => (bottom[index] ?? 0) - (top[index] ?? 0);

/** Black where runs of ink along rows are short, and where lines across them go through; white elsewhere. */
function thinInk({ width, pixels }: Gray, threshold: number, most: number): Uint8Array {
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

/** Long thin lines down the picture, as runs along its rows. */
function uprightLines(gray: Gray, threshold: number, dpi: number): Box[] {
  const { width, height } = gray;
  const found: Box[] = [];
  const most = Math.max(Math.round(RULE_THICKNESS * dpi), 2);
  const lines = findComponents({ width, height, pixels: thinInk(gray, threshold, most) }, 1);
  if (lines === undefined) return found;
  const isRule = (index: number): boolean => {
    const [length, aside] = [heightOf(lines, index), widthOf(lines, index)];
    return length >= RULE_LENGTH * dpi && aside <= RULE_SLOPE * length + RULE_THICKNESS * dpi;
  };
  eachRun(lines, isRule, (left, right, y) => found.push({ left, top: y, right, bottom: y + 1 }));
  return found;
}

/** Pieces of long thin lines, level and upright: rules, frames, axes. @param threshold pixels below it are ink */
export function thinLines(gray: Gray, threshold: number, dpi: number): Box[] {
  const { height } = gray;
  const level = uprightLines(turnQuarters(gray, 1), threshold, dpi).map(({ left, top, right, bottom }) => ({
    left: top,
    top: height - right,
    right: bottom,
    bottom: height - left,
  }));
  return [...uprightLines(gray, threshold, dpi), ...level];
}

/** Whether a piece is larger both ways than written words. */
export const isLarge = (pieces: Components, index: number, dpi: number): boolean =>
  Math.min(widthOf(pieces, index), heightOf(pieces, index)) >= LEAST_DRAWING * dpi;

/** Whether two pieces stand side by side as letters of a word do. */
function areBeside(pieces: Components, a: number, b: number): boolean {
  const { left, top, right, bottom } = pieces;
  const height = Math.max(heightOf(pieces, a), heightOf(pieces, b));
  const common = Math.min(bottom[a] ?? 0, bottom[b] ?? 0) - Math.max(top[a] ?? 0, top[b] ?? 0);
  const gap = Math.max((left[a] ?? 0) - (right[b] ?? 0), (left[b] ?? 0) - (right[a] ?? 0));
  return gap <= LETTER_GAP * height && common >= LETTER_SHARED * height;
}

/** Tells of a piece whether it may be a letter of large type: not filled, and beside another one. */
export function isLetter(pieces: Components, dpi: number): (index: number) => boolean {
  const large: number[] = [];
  for (let index = 0; index < pieces.count; index += 1) {
    const [width, height] = [widthOf(pieces, index), heightOf(pieces, index)];
    const isFilled = (pieces.area[index] ?? 0) > LETTER_FILL * width * height;
    if (!isSmall(pieces, index, dpi) && !isFilled && Math.max(width, height) <= LARGEST_LETTER * dpi) large.push(index);
  }
  const some = large.slice(0, MOST_LETTERS);
  const beside = new Set(some.filter((a) => some.some((b) => a !== b && areBeside(pieces, a, b))));
  return (index) => beside.has(index);
}

/** Whether a piece is too small to have thick strokes. */
export const isSmall = (pieces: Components, index: number, dpi: number): boolean =>
  Math.max(widthOf(pieces, index), heightOf(pieces, index)) < SMALL_LETTER * dpi;
