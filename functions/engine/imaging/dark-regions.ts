/** Large dark areas: light type on bars is turned to black on white, black borders of a copier are taken out. */

import type { Box } from "../../ports/layout.ts";
import { histogramQuantile } from "../layout/geometry.ts";
import { DARKEST_PAPER, usualPaper } from "./background.ts";
import { type Components, eachRun, findComponents } from "./connected-components.ts";
import { type Gray, WHITE } from "./gray-image.ts";
import { type Bar, boxOf, findBars } from "./solid-bars.ts";
import { eachTile, gridOf } from "./tiles.ts";

/** A border runs along so much of the picture's side. */
const BORDER = 0.25;

/** Type on a bar differs from it by so much, and covers as much of it at least; grain differs less. */
const CONTRAST = 50;
const GRAIN = 16;
const LEAST_TYPE = 0.005;
/** Of a bar's pixels, so many are of one shade: a picture's are not. */
const ONE_SHADE = 0.5;
/** Of a bar with dark type on it too, that much more is light. */
const LIGHTER = 2;
/** What is lighter than this share of a page's paper is paper too, if tinted. */
const TINT = 0.8;

function countsOf({ width, pixels }: Gray, { rows }: Bar): Uint32Array {
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

/** Whether light type stands on a bar of one shade, rather than dark type or nothing. */
function hasLightType(counts: Uint32Array, shade: number): boolean {
  const total = sumOf(counts, 0, 256);
  const light = sumOf(counts, shade + CONTRAST, 256);
  const dark = sumOf(counts, 0, shade - CONTRAST + 1);
  const same = sumOf(counts, shade - GRAIN, shade + GRAIN + 1);
  return same >= ONE_SHADE * total && light >= LEAST_TYPE * total && light >= LIGHTER * dark;
}

/** Turns a bar to white, and what is lighter on it to black, in place. @param shade its gray */
function invert({ width, pixels }: Gray, { rows }: Bar, shade: number): void {
  const gain = WHITE / Math.max(WHITE - shade, 1);
  for (const { y, start, end } of rows) {
    for (let at = y * width + start; at < y * width + end; at += 1) {
      pixels[at] = Math.min((WHITE - (pixels[at] ?? 0)) * gain + 0.5, WHITE);
    }
  }
}

/**
 * Turns dark bars to white and what is left out of them to black, in place.
 * @returns the pieces that were bars and nothing else, and where all of them are, pixels
 */
export function invertBars(gray: Gray, pieces: Components, dpi: number): { pieces: Set<number>; boxes: Box[] } {
  const own = new Set<number>();
  const boxes: Box[] = [];
  for (const bar of findBars(gray, pieces, dpi)) {
    const counts = countsOf(gray, bar);
    // Type on a bar covers less than half of it.
    const shade = histogramQuantile(counts, 0.5);
    if (bar.whole) own.add(bar.piece);
    else if (!hasLightType(counts, shade)) continue;
    invert(gray, bar, shade);
    boxes.push(boxOf(bar));
  }
  return { pieces: own, boxes };
}

/** Whether a page has places of middling shade, where such bars may be. */
function isTinted(gray: Gray, paper: number, dpi: number): boolean {
  let tinted = false;
  eachTile(gray, gridOf(gray, dpi), ({ middle }) => {
    tinted ||= middle >= DARKEST_PAPER * paper && middle < TINT * paper;
  });
  return tinted;
}

/**
 * Turns bars of middling shade to white, and the light type on them to black: evened out as if they were tinted paper, they
 * would take their type with them. Dark type on such bars, and their tint, stay.
 * @param dpi pixels per inch
 * @returns the same picture where there are none, and where they are, pixels
 */
export function invertTints(gray: Gray, dpi: number): { gray: Gray; boxes: Box[] } {
  const paper = usualPaper(gray);
  const pieces = isTinted(gray, paper, dpi) ? findComponents(gray, Math.round(TINT * paper)) : undefined;
  if (pieces === undefined) return { gray, boxes: [] };
  let changed: Gray | undefined;
  const boxes: Box[] = [];
  for (const bar of findBars(gray, pieces, dpi)) {
    const counts = countsOf(gray, bar);
    const shade = histogramQuantile(counts, 0.5);
    // A dark one is told from paper whatever stands on it, and turned when the page is level.
    if (shade < DARKEST_PAPER * paper || !hasLightType(counts, shade)) continue;
    changed ??= { ...gray, pixels: gray.pixels.slice() };
    invert(changed, bar, shade);
    boxes.push(boxOf(bar));
  }
  return { gray: changed ?? gray, boxes };
}

/** Erases what runs along the picture's edges, in place. @returns the pieces that were borders */
export function eraseBorders(gray: Gray, pieces: Components): Set<number> {
  const { width, height, pixels } = gray;
  const borders = new Set<number>();
  for (let index = 0; index < pieces.count; index += 1) {
    const [l, t, r, b] = [
      pieces.left[index] ?? 0,
      pieces.top[index] ?? 0,
      pieces.right[index] ?? 0,
      pieces.bottom[index] ?? 0,
    ];
    const beside = (l <= 1 || r >= width - 1) && b - t >= BORDER * height;
    const above = (t <= 1 || b >= height - 1) && r - l >= BORDER * width;
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
