/** A picture in square tiles: a letter is smaller than one, a stain larger. */
import { type GrayImage, WHITE } from "./gray-image.ts";

/** Side of a tile. */
const SIDE_INCHES = 0.2;
const MIN_SIDE_PIXELS = 16;
/**
 * Quantiles of a tile's pixels: its ink is as dark as the first, the middle gray, and its paper as bright as the last, as
 * text covers less than half.
 */
const TILE_QUANTILES = [0.03, 0.5, 0.85] as const;
/** Gray levels between ink and its paper; less is grain or a tint. */
const MIN_INK_LEVELS = 60;
/** Tiles so dark in the middle are bars or pictures: ink, though no paper is in them to tell it from. */
const DARK_TILE_GRAY = 115;

/** Counts every second pixel of every second row. */
function countTile(
  counts: Uint32Array,
  { width, pixels }: GrayImage,
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

/** The values at or below which the shares, smallest first, of the counted pixels lie: one walk for all three. */
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

interface Grid {
  across: number;
  down: number;
  /** Pixels. */
  side: number;
}

function gridOf({ width, height }: GrayImage, dpi: number): Grid {
  const side = Math.max(Math.round(SIDE_INCHES * dpi), MIN_SIDE_PIXELS);
  return { across: Math.ceil(width / side), down: Math.ceil(height / side), side };
}

function addCounts(sum: Uint32Array, counts: Uint32Array): void {
  for (let value = 0; value < sum.length; value += 1) sum[value] = (sum[value] ?? 0) + (counts[value] ?? 0);
}

/** The tiles of a picture, row by row. */
export interface Tiles extends Grid {
  /** Gray of most of a tile's paper, of its darkest pixels, and of the middle one. */
  paper: Uint8Array;
  darkest: Uint8Array;
  middle: Uint8Array;
  /** 1 for a tile with ink. */
  hasInk: Uint8Array;
  /** Histogram of the tiles that are inky: with ink, or dark in the middle. */
  inkyCounts: Uint32Array;
}

/**
 * Measures the tiles of a picture.
 * @param dpi pixels per inch
 */
export function measureTiles(gray: GrayImage, dpi: number): Tiles {
  const grid = gridOf(gray, dpi);
  const { across, down, side } = grid;
  const array = (): Uint8Array => new Uint8Array(across * down);
  const tiles = { ...grid, paper: array(), darkest: array(), middle: array(), hasInk: array() };
  const inkyCounts = new Uint32Array(256);
  const counts = new Uint32Array(256);
  for (let at = 0; at < tiles.paper.length; at += 1) {
    const [left, top] = [(at % across) * side, Math.floor(at / across) * side];
    const [right, bottom] = [Math.min(left + side, gray.width), Math.min(top + side, gray.height)];
    countTile(counts, gray, left, top, right, bottom);
    const total = Math.ceil((right - left) / 2) * Math.ceil((bottom - top) / 2);
    const [darkest = WHITE, middle = WHITE, paper = WHITE] = quantiles(counts, total, TILE_QUANTILES);
    const hasInk = paper - darkest >= MIN_INK_LEVELS;
    [tiles.paper[at], tiles.darkest[at], tiles.middle[at]] = [paper, darkest, middle];
    if (hasInk) tiles.hasInk[at] = 1;
    if (hasInk || middle < DARK_TILE_GRAY) addCounts(inkyCounts, counts);
  }
  return { ...tiles, inkyCounts };
}
