/** A picture looked at in squares: a letter is smaller than one, a stain larger. */
import { type Gray, WHITE } from "./gray-image.ts";

/** Inches. */
const SIDE = 0.2;
const LEAST_SIDE = 16;
/** The paper of a tile is as bright as this share of its pixels is at most: text covers less than half. */
const PAPER_SHARE = 0.85;
/** The ink of a tile is as dark as this share of its pixels. */
const INK_SHARE = 0.03;
/** What differs less from its paper, of 255, is grain or a tint and no ink. */
const LEAST_INK = 60;

/** Every second pixel of every second row. */
function countTile(
  counts: Uint32Array,
  { width, pixels }: Gray,
  left: number,
  top: number,
  right: number,
  bottom: number,
): void {
  counts.fill(0);
  for (let y = top; y < bottom; y += 2) {
    for (let at = y * width + left; at < y * width + right; at += 2) {
      const value = pixels[at] ?? 0;
      counts[value] = (counts[value] ?? 0) + 1;
    }
  }
}

/** The values below which the shares, smallest first, of the counted pixels lie: one walk for all three. */
function quantiles(counts: Uint32Array, total: number, shares: readonly [number, number, number]): number[] {
  const found: number[] = [];
  let sum = 0;
  for (let value = 0; value < WHITE && found.length < shares.length; value += 1) {
    sum += counts[value] ?? 0;
    while (found.length < shares.length && sum >= total * (shares[found.length] ?? 1)) found.push(value);
  }
  while (found.length < shares.length) found.push(WHITE);
  return found;
}

/** What a tile shows, by the counts of its gray values. */
export interface Tile {
  /** Only while it is visited: the next tile is counted in the same place. */
  counts: Uint32Array;
  /** Gray of most of its paper, of its darkest pixels, and of the middle one. */
  paper: number;
  darkest: number;
  middle: number;
  hasInk: boolean;
}

export interface Grid {
  across: number;
  down: number;
  /** Pixels. */
  side: number;
}

export function gridOf({ width, height }: Gray, dpi: number): Grid {
  const side = Math.max(Math.round(SIDE * dpi), LEAST_SIDE);
  return { across: Math.ceil(width / side), down: Math.ceil(height / side), side };
}

/** Row by row. */
export function eachTile(gray: Gray, { across, down, side }: Grid, visit: (tile: Tile, at: number) => void): void {
  const counts = new Uint32Array(256);
  for (let row = 0; row < down; row += 1) {
    for (let column = 0; column < across; column += 1) {
      const [left, top] = [column * side, row * side];
      const [right, bottom] = [Math.min(left + side, gray.width), Math.min(top + side, gray.height)];
      countTile(counts, gray, left, top, right, bottom);
      const total = Math.ceil((right - left) / 2) * Math.ceil((bottom - top) / 2);
      const [darkest = WHITE, middle = WHITE, paper = WHITE] = quantiles(counts, total, [INK_SHARE, 0.5, PAPER_SHARE]);
      visit({ counts, paper, darkest, middle, hasInk: paper - darkest >= LEAST_INK }, row * across + column);
    }
  }
}
