/** Paper made white and ink dark: stains, yellowing, shadows, tints and faint type are evened out. */
import { histogramQuantile, median } from "../layout/geometry.ts";
import { type Gray, histogramOf, WHITE } from "./gray-image.ts";
import { eachTile, type Grid, gridOf } from "./tiles.ts";

/** The page's paper is as bright as this share of it is at most. */
const USUAL_SHARE = 0.85;
/** Paper is never darker than this share of the page's; a tile that mostly is has no paper, but a picture or a bar. */
export const DARKEST_PAPER = 0.45;
/** Ink this much fainter than most of the page's is made as dark; other ink stays as it is. */
const FAINT = 40;
/** By no more than this factor: grain beside it grows with it. */
const MOST_GAIN = 2.2;
/** Tiles with paper as white need no work. */
const CLEAN_PAPER = 250;

/** What becomes white and what black, at the middle of each tile. */
interface Levels extends Grid {
  paper: Float64Array;
  black: Float64Array;
}

/** Gray of a page's paper. */
export const usualPaper = (gray: Gray): number => Math.max(histogramQuantile(histogramOf(gray, 7), USUAL_SHARE), 1);

function measureLevels(gray: Gray, dpi: number): Levels {
  const grid = gridOf(gray, dpi);
  const paper = new Float64Array(grid.across * grid.down);
  const ink = new Float64Array(paper.length).fill(-1);
  const usual = usualPaper(gray);
  eachTile(gray, grid, (tile, at) => {
    const isDark = tile.middle < DARKEST_PAPER * usual;
    paper[at] = isDark ? usual : tile.paper;
    if (tile.hasInk && !isDark) ink[at] = tile.darkest;
  });
  return { ...grid, paper, black: spread(blackOf(ink, paper), grid.across) };
}

/** For tiles with faint ink, what must become black so that their ink looks like most; -1 for tiles without ink. */
function blackOf(ink: Float64Array, paper: Float64Array): Float64Array {
  const shades = ink.map((darkest, at) => (WHITE * darkest) / (paper[at] ?? WHITE)).filter((shade) => shade >= 0);
  const usual = median(shades);
  return ink.map((darkest, at) => {
    const white = paper[at] ?? WHITE;
    if (darkest < 0 || (WHITE * darkest) / white < usual + FAINT) return Math.min(darkest, 0);
    const black = darkest - (usual * (white - darkest)) / (WHITE - usual);
    return Math.min(Math.max(black, 0), white * (1 - 1 / MOST_GAIN));
  });
}

/** The least of each tile and its neighbours: only where all ink is faint is it made darker, whole letters at a time. */
function spread(black: Float64Array, across: number): Float64Array {
  const least = new Float64Array(black.length);
  for (let at = 0; at < least.length; at += 1) {
    const column = at % across;
    // The tile beside the edge is none of the next row's at the other one.
    const [left, right] = [column === 0 ? 0 : -1, column === across - 1 ? 0 : 1];
    let found = black[at] ?? -1;
    for (let row = at - across; row <= at + across; row += across) {
      for (let place = row + left; place <= row + right; place += 1) {
        const neighbour = black[place] ?? -1;
        if (neighbour >= 0 && (found < 0 || neighbour < found)) found = neighbour;
      }
    }
    least[at] = Math.max(found, 0);
  }
  return least;
}

/** A gain of 1, so that a pixel's new value is a matter of small integers. */
const ONE = 256;

/** A level along one row of pixels, at the middle of each tile. */
function mixRows(level: Float64Array, { across, down, side }: Grid, y: number): Float64Array {
  const place = Math.min(Math.max((y + 0.5) / side - 0.5, 0), down - 1);
  const row = Math.min(Math.floor(place), Math.max(down - 2, 0));
  const below = place - row;
  const next = Math.min(row + 1, down - 1) * across;
  const mixed = new Float64Array(across);
  for (let column = 0; column < across; column += 1) {
    mixed[column] = (level[row * across + column] ?? 0) * (1 - below) + (level[next + column] ?? 0) * below;
  }
  return mixed;
}

/** What brings paper to white and ink to black along one row of pixels; between the tiles' middles in proportion. */
function gainsOfRow(levels: Levels, y: number, gain: Int32Array, black: Int32Array): void {
  const { across, side } = levels;
  const [dark, bright] = [mixRows(levels.black, levels, y), mixRows(levels.paper, levels, y)];
  for (let x = 0; x < gain.length; x += 1) {
    const at = Math.min(Math.max((x + 0.5) / side - 0.5, 0), across - 1);
    const column = Math.floor(at);
    const right = at - column;
    const other = Math.min(column + 1, across - 1);
    const darkest = (dark[column] ?? 0) * (1 - right) + (dark[other] ?? 0) * right;
    const brightest = (bright[column] ?? 0) * (1 - right) + (bright[other] ?? 0) * right;
    black[x] = darkest;
    gain[x] = (ONE * WHITE) / (brightest - darkest);
  }
}

/** From the first pixel of a row that is not good as it is to behind the last. */
function changedPart(gain: Int32Array, black: Int32Array): [number, number] {
  const isGood = (x: number): boolean => gain[x] === ONE && black[x] === 0;
  let [first, end] = [0, gain.length];
  while (first < end && isGood(first)) first += 1;
  while (end > first && isGood(end - 1)) end -= 1;
  return [first, end];
}

/** Each row in a call: a function that runs once a picture is never compiled well. */
function evenRow(
  pixels: Uint8Array,
  flat: Uint8Array,
  row: number,
  gain: Int32Array,
  black: Int32Array,
  first: number,
  end: number,
): void {
  for (let x = first, at = row + first; x < end; x += 1, at += 1) {
    const value = Math.imul((pixels[at] ?? 0) - (black[x] ?? 0), gain[x] ?? ONE) >> 8;
    // 0 to 255 without a branch: grain on white paper lies on both sides of it, which no processor foretells.
    flat[at] = (value | ((WHITE - value) >> 31)) & ~(value >> 31);
  }
}

/**
 * Brings the paper around every pixel to white, and faint ink to the shade of most.
 * @param dpi pixels per inch
 * @returns the same picture when it is so already
 */
export function flattenBackground(gray: Gray, dpi: number): Gray {
  const levels = measureLevels(gray, dpi);
  if (levels.paper.every((level) => level >= CLEAN_PAPER) && levels.black.every((level) => level === 0)) return gray;
  const { width, height, pixels } = gray;
  const flat = pixels.slice();
  const [gain, black] = [new Int32Array(width), new Int32Array(width)];
  let [first, end] = [0, width];
  for (let y = 0; y < height; y += 1) {
    // Paper changes slowly: every eighth row is measure enough.
    if (y % 8 === 0) {
      gainsOfRow(levels, y, gain, black);
      [first, end] = changedPart(gain, black);
    }
    evenRow(pixels, flat, y * width, gain, black, first, end);
  }
  return { width, height, pixels: flat };
}
