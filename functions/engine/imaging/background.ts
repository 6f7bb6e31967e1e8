/** Makes paper white and ink dark: evens out stains, yellowing, shadows, tints and faint type. */
import { histogramQuantile, median } from "../layout/geometry.ts";
import { type GrayImage, histogramOf, WHITE } from "./gray-image.ts";
import { measureTiles, type Tiles } from "./tiles.ts";

/** Quantile of a page's pixels that is as bright as its paper. */
const PAPER_QUANTILE = 0.85;
/** Share of the page's paper gray below which a tile has no paper, but a picture or a bar. */
export const DARKEST_PAPER_SHARE = 0.45;
/** Gray levels by which ink must be fainter than most of the page's to be darkened; other ink stays as it is. */
const FAINT_INK_LEVELS = 40;
/** Factor of contrast at most: grain beside faint ink grows with it. */
const MAX_GAIN = 2.2;
/** Gray of paper that needs no work. */
const CLEAN_PAPER_GRAY = 250;

/** Gray that becomes white, and gray that becomes black, at the middle of each tile. */
interface Levels extends Pick<Tiles, "across" | "down" | "side"> {
  paper: Float64Array;
  black: Float64Array;
}

/** Gray of a page's paper. */
export const usualPaper = (gray: GrayImage): number =>
  Math.max(histogramQuantile(histogramOf(gray, 7), PAPER_QUANTILE), 1);

function measureLevels(gray: GrayImage, tiles: Tiles): Levels {
  const usual = usualPaper(gray);
  const isDark = tiles.middle.map((middle) => (middle < DARKEST_PAPER_SHARE * usual ? 1 : 0));
  const paper = Float64Array.from(tiles.paper, (level, at) => (isDark[at] === 1 ? usual : level));
  const ink = Float64Array.from(tiles.darkest, (level, at) =>
    tiles.hasInk[at] === 1 && isDark[at] !== 1 ? level : -1,
  );
  const { across, down, side } = tiles;
  return { across, down, side, paper, black: spreadLeast(blackLevels(ink, paper), across) };
}

/** Gray that must become black so that a tile's faint ink looks like most of the page's; -1 for tiles without ink. */
function blackLevels(ink: Float64Array, paper: Float64Array): Float64Array {
  const shades = ink.map((darkest, at) => (WHITE * darkest) / (paper[at] ?? WHITE)).filter((shade) => shade >= 0);
  const usual = median(shades);
  return ink.map((darkest, at) => {
    const white = paper[at] ?? WHITE;
    if (darkest < 0 || (WHITE * darkest) / white < usual + FAINT_INK_LEVELS) return Math.min(darkest, 0);
    const black = darkest - (usual * (white - darkest)) / (WHITE - usual);
    return Math.min(Math.max(black, 0), white * (1 - 1 / MAX_GAIN));
  });
}

/**
 * The least level of each tile and its neighbours: ink becomes darker only where all ink is faint, whole letters at a
 * time.
 */
function spreadLeast(black: Float64Array, across: number): Float64Array {
  const least = new Float64Array(black.length);
  for (let at = 0; at < least.length; at += 1) {
    const column = at % across;
    // A tile at the edge is no neighbour of the next row's at the other edge.
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

/** Gain of 1 in fixed point, so that a pixel's new value takes small integers only. */
const GAIN_ONE = 256;

/** A level along one row of pixels, interpolated between the middles of tiles. */
function mixRows(level: Float64Array, { across, down, side }: Levels, y: number): Float64Array {
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

/**
 * Gains and black levels along one row of pixels, which bring paper to white and ink to black; interpolated between the
 * middles of tiles.
 */
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
    gain[x] = (GAIN_ONE * WHITE) / (brightest - darkest);
  }
}

/** Range from the first pixel of a row that changes to behind the last. */
function changedPart(gain: Int32Array, black: Int32Array): [number, number] {
  const isGood = (x: number): boolean => gain[x] === GAIN_ONE && black[x] === 0;
  let [first, end] = [0, gain.length];
  while (first < end && isGood(first)) first += 1;
  while (end > first && isGood(end - 1)) end -= 1;
  return [first, end];
}

/** A call for each row: a function that runs once a picture is never compiled well. */
function flattenRow(
  pixels: Uint8Array,
  flat: Uint8Array,
  row: number,
  gain: Int32Array,
  black: Int32Array,
  first: number,
  end: number,
): void {
  for (let x = first, at = row + first; x < end; x += 1, at += 1) {
    const value = Math.imul((pixels[at] ?? 0) - (black[x] ?? 0), gain[x] ?? GAIN_ONE) >> 8;
    // Clamps to 0 to 255 without a branch: grain on white paper lies on both sides of it, which no processor predicts.
    flat[at] = (value | ((WHITE - value) >> 31)) & ~(value >> 31);
  }
}

/**
 * Brings the paper around every pixel to white, and faint ink to the shade of most.
 * @param dpi pixels per inch
 * @param tiles of the picture
 * @returns the same picture where nothing changes
 */
export function flattenBackground(gray: GrayImage, dpi: number, tiles = measureTiles(gray, dpi)): GrayImage {
  const levels = measureLevels(gray, tiles);
  if (levels.paper.every((level) => level >= CLEAN_PAPER_GRAY) && levels.black.every((level) => level === 0))
    return gray;
  const { width, height, pixels } = gray;
  const flat = pixels.slice();
  const [gain, black] = [new Int32Array(width), new Int32Array(width)];
  let [first, end] = [0, width];
  for (let y = 0; y < height; y += 1) {
    // Paper changes slowly: every eighth row is measured.
    if (y % 8 === 0) {
      gainsOfRow(levels, y, gain, black);
      [first, end] = changedPart(gain, black);
    }
    flattenRow(pixels, flat, y * width, gain, black, first, end);
  }
  return { width, height, pixels: flat };
}
