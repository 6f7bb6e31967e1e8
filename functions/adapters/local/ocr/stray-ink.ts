/** Finds the ink of a page that no word covers. */
import { extendBox } from "../../../engine/layout/geometry.ts";
import type { Box } from "../../../ports/layout.ts";
import type { ReadWord } from "./tesseract-tsv.ts";

/** Inches beside a word's box in which its ink may lie. */
const INK_MARGIN_INCHES = 0.02;

/** Side of the cells in the map of covered ink; larger on pages that would need more than MAX_CELLS. */
const CELL_INCHES = 0.02;

const MAX_CELLS = 4_000_000;

/** Ink that no word covers. */
export interface StrayInk {
  share: number;
  pieces: number;
  /** Middles of its pieces, in the ink's coordinates, and the amount of ink of each. */
  middles: { x: number; y: number; ink: number }[];
  /** Box around the middles of its pieces, in the ink's coordinates; undefined where there is none. */
  bounds: Box | undefined;
}

/**
 * Finds the ink whose pieces lie in no word's box.
 * @param ink middle and amount of each piece (x, y, ink)
 * @param dpi pixels per inch of the ink's coordinates
 */
export function findStrayInk(ink: Float32Array, dpi: number, words: readonly ReadWord[]): StrayInk {
  let [width, height] = [0, 0];
  for (let at = 0; at + 2 < ink.length; at += 3) {
    width = Math.max(width, (ink[at] ?? 0) / dpi);
    height = Math.max(height, (ink[at + 1] ?? 0) / dpi);
  }
  const cell = Math.max(CELL_INCHES, Math.sqrt((width * height) / MAX_CELLS));
  const [across, down] = [Math.ceil(width / cell) + 1, Math.ceil(height / cell) + 1];
  const covered = new Uint8Array(across * down);
  for (const { box } of words) {
    const left = Math.max(Math.floor((box.left - INK_MARGIN_INCHES) / cell), 0);
    const right = Math.min(Math.ceil((box.right + INK_MARGIN_INCHES) / cell), across);
    const bottom = Math.min(Math.ceil((box.bottom + INK_MARGIN_INCHES) / cell), down);
    for (let row = Math.max(Math.floor((box.top - INK_MARGIN_INCHES) / cell), 0); row < bottom; row += 1) {
      if (right > left) covered.fill(1, row * across + left, row * across + right);
    }
  }
  let [all, stray] = [0, 0];
  const middles: StrayInk["middles"] = [];
  let bounds: Box | undefined;
  for (let at = 0; at + 2 < ink.length; at += 3) {
    const amount = ink[at + 2] ?? 0;
    all += amount;
    const [x, y] = [ink[at] ?? 0, ink[at + 1] ?? 0];
    if (covered[Math.floor(y / dpi / cell) * across + Math.floor(x / dpi / cell)] === 1) continue;
    stray += amount;
    middles.push({ x, y, ink: amount });
    const point = { left: x, top: y, right: x, bottom: y };
    if (bounds === undefined) bounds = point;
    else extendBox(bounds, point);
  }
  return { share: all === 0 ? 0 : stray / all, pieces: middles.length, middles, bounds };
}
