/** Measures the cells of a page's picture. */

import type { Box } from "../../../ports/layout.ts";
import { histogramQuantile } from "../../layout/geometry.ts";
import { flattenBackground } from "../background.ts";
import { type Components, eachRun, findComponents } from "../connected-components.ts";
import { type GrayImage, histogramOf, shrink, WHITE } from "../gray-image.ts";
import { inkThreshold, softThreshold } from "../ink-threshold.ts";
import { darkOnLight } from "../invert-negative.ts";
import type { Raster } from "../raster.ts";
import { measureTiles } from "../tiles.ts";
import { INK, type InkCells, LARGE, LETTER, PAPER, RULE, SOLID } from "./ink-cells.ts";
import { isLarge, isSmall, largeLetterTest, thinLines } from "./ink-shapes.ts";

/** Resolution at which figures are found; a finer one takes longer. */
const FIGURE_DPI = 100;
/** Side of a spot: between the lines of any text there are such spots of paper; and spots along a cell's side. */
const SPOT_INCHES = 0.03;
const SPOTS_PER_CELL = 2;
/** Thickness of thick ink; strokes of type below 30 points are thinner. */
const MIN_THICK_INK_INCHES = 0.05;
/** Quantile of a page's pixels that is as bright as its paper; and the share of that below which no part is paper. */
const PAPER_QUANTILE = 0.85;
const DARKEST_PAPER_SHARE = 0.82;

/** One channel of a gray picture in colours. */
export function grayOf({ width, height, rgba }: Raster): GrayImage {
  const pixels = new Uint8Array(width * height);
  for (let at = 0, from = 1; at < pixels.length; at += 1, from += 4) pixels[at] = rgba[from] ?? WHITE;
  return { width, height, pixels };
}

/** The brightest pixel of each square of `size` × `size` pixels; squares begin `apart` from each other. */
function brightest({ width, height, pixels }: GrayImage, size: number, apart: number, from: number): GrayImage {
  const [across, down] = [Math.floor(width / apart), Math.floor(height / apart)];
  const most = new Uint8Array(across * down);
  for (let row = 0, at = 0; row < down; row += 1) {
    const [top, bottom] = [Math.max(row * apart + from, 0), Math.min(row * apart + from + size, height)];
    for (let column = 0; column < across; column += 1, at += 1) {
      const [left, right] = [Math.max(column * apart + from, 0), Math.min(column * apart + from + size, width)];
      let value = 0;
      for (let y = top; y < bottom; y += 1)
        for (let x = left; x < right; x += 1) value = Math.max(value, pixels[y * width + x] ?? 0);
      most[at] = value;
    }
  }
  return { width: across, height: down, pixels: most };
}

/** Marks with 1 the ends of at least `least` pixels of ink along both ways. */
function thickInk({ width, height, pixels }: GrayImage, threshold: number, least: number): Uint8Array {
  const thick = new Uint8Array(pixels.length);
  const above = new Uint32Array(width);
  for (let y = 0, at = 0; y < height; y += 1) {
    let beside = 0;
    for (let x = 0; x < width; x += 1, at += 1) {
      beside = (pixels[at] ?? 0) < threshold ? beside + 1 : 0;
      above[x] = beside >= least ? (above[x] ?? 0) + 1 : 0;
      if ((above[x] ?? 0) >= least) thick[at] = 1;
    }
  }
  return thick;
}

function eachRow({ left, top, right, bottom }: Box, visit: (start: number, end: number, y: number) => void): void {
  for (let y = top; y < bottom; y += 1) visit(left, right, y);
}

interface CellMarker {
  mark(start: number, end: number, y: number, bits: number): void;
}

/** Marks the cells under runs of pixels; pixels left over at the far edges belong to the last cells. */
function cellMarker({ across, down, cells }: InkCells, size: number): CellMarker {
  return {
    mark(start, end, y, bits) {
      const row = Math.min(Math.floor(y / size), down - 1) * across;
      const last = Math.min(Math.floor((end - 1) / size), across - 1);
      for (let x = Math.min(Math.floor(start / size), across - 1); x <= last; x += 1)
        cells[row + x] = (cells[row + x] ?? 0) | bits;
    },
  };
}

/**
 * Marks the cells of pieces of ink.
 * @param black pixels below it are ink without its soft edges: shadows and stains have many of those
 */
function markPieces(gray: GrayImage, pieces: Components, black: number, dpi: number, { mark }: CellMarker): void {
  const isType = largeLetterTest(pieces, dpi);
  const thick = thickInk(gray, black, Math.max(Math.round(MIN_THICK_INK_INCHES * dpi), 3));
  eachRun(
    pieces,
    () => true,
    (start, end, y, owner) => {
      const letter = isType(owner) ? LETTER : 0;
      mark(start, end, y, INK | letter | (isLarge(pieces, owner, dpi) ? LARGE : 0));
      if (letter !== 0 || isSmall(pieces, owner, dpi)) return;
      for (let x = start; x < end; x += 1) if (thick[y * gray.width + x] === 1) mark(x, x + 1, y, SOLID);
    },
  );
}

/**
 * Measures the cells of a picture; undefined for one without ink, or with too much grain to tell any.
 * @param source the picture as shown
 * @param sourceDpi pixels per inch
 */
export function measureInkCells(source: GrayImage, sourceDpi: number): InkCells | undefined {
  const by = Math.max(Math.round(sourceDpi / FIGURE_DPI), 1);
  const [gray, dpi] = [darkOnLight(by === 1 ? source : shrink(source, by)), sourceDpi / by];
  const tiles = measureTiles(gray, dpi);
  const flat = flattenBackground(gray, dpi, tiles);
  const black = inkThreshold(flat, dpi, flat === gray ? tiles : undefined);
  const threshold = softThreshold(flat, black);
  const lines = thinLines(flat, threshold, dpi);
  const plain = flat === gray ? { ...flat, pixels: flat.pixels.slice() } : flat;
  for (const line of lines)
    eachRow(line, (start, end, y) => plain.pixels.fill(WHITE, y * flat.width + start, y * flat.width + end));
  const pieces = findComponents(plain, threshold);
  const spot = Math.max(Math.round(SPOT_INCHES * dpi), 2);
  const spots = brightest(shrink(gray, spot), SPOTS_PER_CELL, SPOTS_PER_CELL, 0);
  const { width: across, height: down, pixels } = brightest(spots, 3, 1, -1);
  if (pieces === undefined || pieces.count === 0 || pixels.length === 0) return undefined;
  const paper = Math.max(histogramQuantile(histogramOf(gray, 7), PAPER_QUANTILE) * DARKEST_PAPER_SHARE, 1);
  const cells = pixels.map((value) => Math.min(Math.floor((PAPER * value) / paper), PAPER));
  const found = { across, down, side: (SPOTS_PER_CELL * spot) / dpi, cells };
  const marker = cellMarker(found, SPOTS_PER_CELL * spot);
  for (const line of lines) eachRow(line, (start, end, y) => marker.mark(start, end, y, RULE));
  markPieces(plain, pieces, black, dpi, marker);
  return found;
}
