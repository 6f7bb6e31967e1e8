/** Inverts light type on dark bars to black on white, and erases the black borders of copies. */

import type { Box } from "../../ports/layout.ts";
import { histogramQuantile } from "../layout/geometry.ts";
import { DARKEST_PAPER_SHARE, usualPaper } from "./background.ts";
import { type Components, eachRun, findComponents } from "./connected-components.ts";
import { type GrayImage, WHITE } from "./gray-image.ts";
import { type Bar, boxOf, findBars } from "./solid-bars.ts";
import { measureTiles, type Tiles } from "./tiles.ts";

/** Share of the picture's side that a border runs along. */
const MIN_BORDER_SHARE = 0.25;

/** Gray levels between a bar and the type on it, gray levels of grain, and share of a bar that type covers at least. */
const TYPE_CONTRAST_LEVELS = 50;
const GRAIN_LEVELS = 16;
const MIN_TYPE_SHARE = 0.005;
/** Share of a bar's pixels that are of one shade: a picture's are not. */
const ONE_SHADE_SHARE = 0.5;
/** Factor by which light pixels outnumber dark ones on a bar that also has dark type. */
const MIN_LIGHT_TO_DARK_RATIO = 2;
/** Share of a page's paper gray from which lighter areas are paper too, if tinted. */
const TINTED_PAPER_SHARE = 0.8;

function countsOf({ width, pixels }: GrayImage, { rows }: Bar): Uint32Array {
  const counts = new Uint32Array(256);
  for (const { y, start, end } of rows) {
    for (let at = y * width + start; at < y * width + end; at += 1) {
      const value = pixels[at] ?? 0;
      counts[value] = (counts[value] ?? 0) + 1;
    }
  }
  return counts;
}

const sumOf = (counts: Uint32Array, from: number, to: number): number =>
  counts.subarray(Math.max(from, 0), Math.max(to, 0)).reduce((sum, count) => sum + count, 0);

/** True for light type on a bar of one shade, rather than dark type or nothing. */
function hasLightType(counts: Uint32Array, shade: number): boolean {
  const total = sumOf(counts, 0, 256);
  const light = sumOf(counts, shade + TYPE_CONTRAST_LEVELS, 256);
  const dark = sumOf(counts, 0, shade - TYPE_CONTRAST_LEVELS + 1);
  const same = sumOf(counts, shade - GRAIN_LEVELS, shade + GRAIN_LEVELS + 1);
  return same >= ONE_SHADE_SHARE * total && light >= MIN_TYPE_SHARE * total && light >= MIN_LIGHT_TO_DARK_RATIO * dark;
}

interface MeasuredBar {
  bar: Bar;
  /** Histogram of its gray values. */
  counts: Uint32Array;
  /** Its gray. */
  shade: number;
}

/** Inverts a bar to white, and what is lighter on it to black, in place. @param shade its gray */
function invertBar({ width, pixels }: GrayImage, { rows }: Bar, shade: number): void {
  const gain = WHITE / Math.max(WHITE - shade, 1);
  for (const { y, start, end } of rows) {
    for (let at = y * width + start; at < y * width + end; at += 1) {
      pixels[at] = Math.min((WHITE - (pixels[at] ?? 0)) * gain + 0.5, WHITE);
    }
  }
}

/** The bars of a picture, each measured as the picture then is; type on a bar covers less than half of it. */
function* measuredBars(gray: GrayImage, pieces: Components, dpi: number): Generator<MeasuredBar> {
  for (const bar of findBars(gray, pieces, dpi)) {
    const counts = countsOf(gray, bar);
    yield { bar, counts, shade: histogramQuantile(counts, 0.5) };
  }
}

/**
 * Inverts dark bars to white, and the type on them to black, in place.
 * @returns the pieces that were bars and nothing else, and the boxes of all inverted bars, pixels
 */
export function invertBars(gray: GrayImage, pieces: Components, dpi: number): { pieces: Set<number>; boxes: Box[] } {
  const own = new Set<number>();
  const boxes: Box[] = [];
  for (const { bar, counts, shade } of measuredBars(gray, pieces, dpi)) {
    if (bar.whole) own.add(bar.piece);
    else if (!hasLightType(counts, shade)) continue;
    invertBar(gray, bar, shade);
    boxes.push(boxOf(bar));
  }
  return { pieces: own, boxes };
}

/** True if a page has places of middling shade, where tinted bars may be. */
const isTinted = ({ middle }: Tiles, paper: number): boolean =>
  middle.some((gray) => gray >= DARKEST_PAPER_SHARE * paper && gray < TINTED_PAPER_SHARE * paper);

/**
 * Inverts bars of middling shade to white, and the light type on them to black: flattened like tinted paper, they would
 * take their type with them. Dark type on such bars, and their tint, stay.
 * @param dpi pixels per inch
 * @param tiles of the picture
 * @returns the same picture where there are none, and the boxes of the bars, pixels
 */
export function invertTints(
  gray: GrayImage,
  dpi: number,
  tiles = measureTiles(gray, dpi),
): { gray: GrayImage; boxes: Box[] } {
  const paper = usualPaper(gray);
  const pieces = isTinted(tiles, paper) ? findComponents(gray, Math.round(TINTED_PAPER_SHARE * paper)) : undefined;
  if (pieces === undefined) return { gray, boxes: [] };
  let changed: GrayImage | undefined;
  const boxes: Box[] = [];
  for (const { bar, counts, shade } of measuredBars(gray, pieces, dpi)) {
    // A dark bar differs from paper whatever stands on it; it is inverted once the page is level.
    if (shade < DARKEST_PAPER_SHARE * paper || !hasLightType(counts, shade)) continue;
    changed ??= { ...gray, pixels: gray.pixels.slice() };
    invertBar(changed, bar, shade);
    boxes.push(boxOf(bar));
  }
  return { gray: changed ?? gray, boxes };
}

/** Erases borders along the picture's edges, in place. @returns the pieces that were borders */
export function eraseBorders(gray: GrayImage, pieces: Components): Set<number> {
  const { width, height, pixels } = gray;
  const borders = new Set<number>();
  for (let index = 0; index < pieces.count; index += 1) {
    const [l, t, r, b] = [
      pieces.left[index] ?? 0,
      pieces.top[index] ?? 0,
      pieces.right[index] ?? 0,
      pieces.bottom[index] ?? 0,
    ];
    const beside = (l <= 1 || r >= width - 1) && b - t >= MIN_BORDER_SHARE * height;
    const above = (t <= 1 || b >= height - 1) && r - l >= MIN_BORDER_SHARE * width;
    if (beside || above) borders.add(index);
  }
  if (borders.size === 0) return borders;
  eachRun(
    pieces,
    (index) => borders.has(index),
    (start, end, y) => pixels.fill(WHITE, y * width + Math.max(start - 1, 0), y * width + Math.min(end + 1, width)),
  );
  return borders;
}
