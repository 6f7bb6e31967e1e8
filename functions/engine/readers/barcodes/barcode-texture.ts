import type { Raster } from "../../imaging/raster.ts";

/** Inches. A tile is wider than the gaps of any text's lines, and a symbol covers several. */
const TILE = 0.15;
/** Levels of grey between neighbours that make an edge, also where modules of one pixel are blurred. */
const EDGE = 40;
/** Edges a pixel in a busy line: modules of up to five pixels. */
const BUSY = 0.2;
/** Of a tile's lines so many are busy: text leaves gaps between its lines, symbols leave none. */
const BUSY_LINES = 0.85;
/** Edges a pixel along stripes. */
const QUIET = 0.05;
/** Tiles in a symbol of a quarter of an inch by half an inch, or so. */
const LEAST_TILES = 4;

interface Edges {
  /** Nearly all lines are full of them. */
  busy: boolean;
  /** Hardly any line has one. */
  quiet: boolean;
}

/** The edges along the rows of a tile, or along its columns. Grey is taken from green alone. */
function edgesOf({ rgba, width }: Raster, left: number, top: number, size: number, rows: boolean): Edges {
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
      if (grey - before >= EDGE || before - grey >= EDGE) edges += 1;
      before = grey;
    }
    total += edges;
    if (edges >= BUSY * size) busyLines += 1;
  }
  return { busy: busyLines >= BUSY_LINES * size, quiet: total <= QUIET * size * size };
}

/** Modules make edges both ways, stripes one way only. */
function isTextured(raster: Raster, left: number, top: number, size: number): boolean {
  const along = edgesOf(raster, left, top, size, true);
  if (!along.busy && !along.quiet) return false;
  const down = edgesOf(raster, left, top, size, false);
  return along.busy ? down.busy || down.quiet : down.busy;
}

/**
 * Whether a picture has an area that could be a barcode.
 * @param pageWidth of the picture in inches
 */
export function mayHoldSymbol(raster: Raster, pageWidth: number): boolean {
  const size = Math.round((TILE * raster.width) / Math.max(pageWidth, 0.01));
  if (size < 4) return false;
  let tiles = 0;
  for (let top = 0; top + size <= raster.height; top += size) {
    for (let left = 0; left + size <= raster.width; left += size) {
      if (isTextured(raster, left, top, size)) tiles += 1;
      if (tiles >= LEAST_TILES) return true;
    }
  }
  return false;
}

/** Lines looked at each way. */
const SAMPLES = 24;
/** Levels of grey of ink and of paper; what is between is neither. */
const DARK = 100;
const LIGHT = 155;
/** The smallest symbol in two dimensions has 21 modules a line, about half of them other than the one before. */
const LEAST_CHANGES = 10;
/** Of the lines one way, so many: a symbol and the space around it, with its text below. */
const LEAST_LINES = 0.25;
/** Of the sampled pixels. Symbols are half ink, also in margins as wide as they; photographs are neither ink nor paper. */
const LEAST_DARK = 0.09;
const MOST_BETWEEN = 0.12;

interface Sampled {
  /** Lines that go from dark to light and back often enough. */
  striped: number;
  dark: number;
  between: number;
  pixels: number;
}

function sampleLines({ width, height, rgba }: Raster, rows: boolean): Sampled {
  const [lines, length, step] = rows ? [height, width, 4] : [width, height, 4 * width];
  const found: Sampled = { striped: 0, dark: 0, between: 0, pixels: SAMPLES * length };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const line = Math.floor(((sample + 0.5) * lines) / SAMPLES);
    let at = (rows ? line * width : line) * 4 + 1;
    let [dark, changes] = [false, 0];
    for (let count = 0; count < length; count += 1, at += step) {
      const grey = rgba[at] ?? 255;
      if (grey < DARK) found.dark += 1;
      else if (grey <= LIGHT) found.between += 1;
      // Noise on an edge is no change.
      if (dark ? grey <= LIGHT : grey >= DARK) continue;
      dark = !dark;
      changes += 1;
    }
    if (changes >= LEAST_CHANGES) found.striped += 1;
  }
  return found;
}

/** Whether a small picture, such as one that a page shows, could be a barcode: two-toned, and striped along many lines. */
export function isStriped(raster: Raster): boolean {
  const [across, down] = [sampleLines(raster, true), sampleLines(raster, false)];
  if (Math.max(across.striped, down.striped) < LEAST_LINES * SAMPLES) return false;
  const pixels = across.pixels + down.pixels;
  return across.dark + down.dark >= LEAST_DARK * pixels && across.between + down.between <= MOST_BETWEEN * pixels;
}
