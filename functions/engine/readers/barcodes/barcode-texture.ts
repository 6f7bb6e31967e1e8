/**
 * Fast checks for the texture of barcodes: areas full of hard edges, and lines that alternate between dark and light.
 */
import type { Raster } from "../../imaging/raster.ts";

/** Side of a tile. It is wider than the gaps between text lines, and a symbol covers several tiles. */
const TILE_INCHES = 0.15;
/** Grey levels between neighbours that make an edge, also where one-pixel modules are blurred. */
const MIN_EDGE_GREY_LEVELS = 40;
/** Edges per pixel of a busy line: modules of up to five pixels. */
const MIN_BUSY_EDGES_PER_PIXEL = 0.2;
/** Share of busy lines in a tile. Text has gaps between its lines, symbols have none. */
const MIN_BUSY_LINES_SHARE = 0.85;
/** Edges per pixel along stripes. */
const MAX_QUIET_EDGES_PER_PIXEL = 0.05;
/** Tiles of a symbol of about a quarter by half an inch. */
const MIN_TEXTURED_TILES = 4;

interface TileEdges {
  /** Nearly all lines are full of edges. */
  busy: boolean;
  /** Hardly any line has an edge. */
  quiet: boolean;
}

/** Counts edges along the rows of a tile, or along its columns. The green channel serves as grey. */
function edgesOf({ rgba, width }: Raster, left: number, top: number, size: number, rows: boolean): TileEdges {
  const [step, next] = rows ? [4, 4 * width] : [4 * width, 4];
  let busyLines = 0;
  let total = 0;
  for (let line = 0; line < size; line += 1) {
    let at = 4 * (top * width + left) + line * next + 1;
    let before = rgba[at] ?? 255;
    let edges = 0;
    for (let count = 1; count < size; count += 1) {
      at += step;
      const grey = rgba[at] ?? 255;
      if (grey - before >= MIN_EDGE_GREY_LEVELS || before - grey >= MIN_EDGE_GREY_LEVELS) edges += 1;
      before = grey;
    }
    total += edges;
    if (edges >= MIN_BUSY_EDGES_PER_PIXEL * size) busyLines += 1;
  }
  return { busy: busyLines >= MIN_BUSY_LINES_SHARE * size, quiet: total <= MAX_QUIET_EDGES_PER_PIXEL * size * size };
}

/** Tells whether a tile looks like a symbol. Modules make edges both ways, stripes one way only. */
function isTextured(raster: Raster, left: number, top: number, size: number): boolean {
  const along = edgesOf(raster, left, top, size, true);
  if (!along.busy && !along.quiet) return false;
  const down = edgesOf(raster, left, top, size, false);
  return along.busy ? down.busy || down.quiet : down.busy;
}

/**
 * Tells whether a raster has an area that could be a barcode.
 * @param pageWidth width of the raster in inches
 */
export function hasSymbolTexture(raster: Raster, pageWidth: number): boolean {
  const size = Math.round((TILE_INCHES * raster.width) / Math.max(pageWidth, 0.01));
  if (size < 4) return false;
  let tiles = 0;
  for (let top = 0; top + size <= raster.height; top += size) {
    for (let left = 0; left + size <= raster.width; left += size) {
      if (isTextured(raster, left, top, size)) tiles += 1;
      if (tiles >= MIN_TEXTURED_TILES) return true;
    }
  }
  return false;
}

/** Lines sampled in each direction. */
const SAMPLED_LINES = 24;
/** Grey levels of ink and of paper. Levels between are neither. */
const DARK_BELOW_GREY = 100;
const LIGHT_ABOVE_GREY = 155;
/** The smallest two-dimensional symbol has 21 modules a line; about half of them differ from the one before. */
const MIN_CHANGES_PER_LINE = 10;
/** Share of striped lines in one direction: a symbol with the space around it and its text below. */
const MIN_STRIPED_LINES_SHARE = 0.25;
/**
 * Shares of the sampled pixels. Symbols are half ink, also within margins of their own width; photographs are mostly
 * mid grey.
 */
const MIN_DARK_PIXELS_SHARE = 0.09;
const MAX_MID_GREY_PIXELS_SHARE = 0.12;

interface LineSamples {
  /** Lines that alternate between dark and light often enough. */
  striped: number;
  dark: number;
  midGrey: number;
  pixels: number;
}

function sampleLines({ width, height, rgba }: Raster, rows: boolean): LineSamples {
  const [lines, length, step] = rows ? [height, width, 4] : [width, height, 4 * width];
  const found: LineSamples = { striped: 0, dark: 0, midGrey: 0, pixels: SAMPLED_LINES * length };
  for (let sample = 0; sample < SAMPLED_LINES; sample += 1) {
    const line = Math.floor(((sample + 0.5) * lines) / SAMPLED_LINES);
    let at = (rows ? line * width : line) * 4 + 1;
    let [dark, changes] = [false, 0];
    for (let count = 0; count < length; count += 1, at += step) {
      const grey = rgba[at] ?? 255;
      if (grey < DARK_BELOW_GREY) found.dark += 1;
      else if (grey <= LIGHT_ABOVE_GREY) found.midGrey += 1;
      // Noise on an edge is no change.
      if (dark ? grey <= LIGHT_ABOVE_GREY : grey >= DARK_BELOW_GREY) continue;
      dark = !dark;
      changes += 1;
    }
    if (changes >= MIN_CHANGES_PER_LINE) found.striped += 1;
  }
  return found;
}

/** Tells whether a small picture could be a barcode: two-toned, and striped along many lines. */
export function isStriped(raster: Raster): boolean {
  const [across, down] = [sampleLines(raster, true), sampleLines(raster, false)];
  if (Math.max(across.striped, down.striped) < MIN_STRIPED_LINES_SHARE * SAMPLED_LINES) return false;
  const pixels = across.pixels + down.pixels;
  return (
    across.dark + down.dark >= MIN_DARK_PIXELS_SHARE * pixels &&
    across.midGrey + down.midGrey <= MAX_MID_GREY_PIXELS_SHARE * pixels
  );
}
