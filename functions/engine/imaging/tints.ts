/**
 * Tinted areas of a picture's paper, which levelling takes away: the ground of a part of a form, bands behind rows. Found
 * by tiles, each as bright as its paper, and by the straight edges between tint and white.
 */
import type { Box } from "../../ports/layout.ts";
import { DARKEST_PAPER_SHARE, usualPaper } from "./background.ts";
import { type GrayImage, WHITE } from "./gray-image.ts";

/** An area of one tint. */
export interface Tint {
  /** Pixels. */
  box: Box;
  /** Gray, 0 to 255. */
  gray: number;
}

/** Side of a tile: half of the height of small type, so that a row to write in has several. */
const TILE_INCHES = 0.05;
/** Gray levels by which a tint is darker than the page's paper: the palest of the open forms by 12, grain by less. */
const MIN_TINT_LEVELS = 7;
/** Gray levels between pixels, or tiles, of one tint, and of white paper. */
const SAME_TINT_LEVELS = 3;
/** Tiles along the shorter side of an area; a narrower one is the edge of another. */
const MIN_TILES = 2;
/** Pixels on each side of an edge that may be soft, and pixels behind them that are compared. */
const SOFT_PIXELS = 1;
const SURE_PIXELS = 2;
/** Pixels in a row without an edge that noise leaves, and the share of an edge that is sharp. */
const MAX_GAP_PIXELS = 2;
const MIN_SHARP_SHARE = 0.93;

interface TintLimits {
  /** Gray of the page's paper, of the palest tint, and of the darkest. */
  paper: number;
  palest: number;
  darkest: number;
}

function limitsOf(gray: GrayImage): TintLimits {
  const paper = usualPaper(gray);
  return { paper, palest: paper - MIN_TINT_LEVELS, darkest: DARKEST_PAPER_SHARE * paper };
}

/** Gray of a tile's paper: the mean of its brightest pixels, of every second one. */
function paperOf({ width, pixels }: GrayImage, left: number, top: number, side: number): number {
  let brightest = 0;
  for (let y = top; y < top + side; y += 2)
    for (let at = y * width + left; at < y * width + left + side; at += 2)
      if ((pixels[at] ?? 0) > brightest) brightest = pixels[at] ?? 0;
  let [sum, count] = [0, 0];
  for (let y = top; y < top + side; y += 2)
    for (let at = y * width + left; at < y * width + left + side; at += 2) {
      const value = pixels[at] ?? 0;
      if (value < brightest - SAME_TINT_LEVELS) continue;
      sum += value;
      count += 1;
    }
  return sum / count;
}

interface Run {
  start: number;
  end: number;
  gray: number;
}

/** Runs of tiles of one tint in a row of tiles. */
function runsOf(row: readonly number[], { palest, darkest }: TintLimits): Run[] {
  const runs: Run[] = [];
  row.forEach((gray, at) => {
    if (gray > palest || gray < darkest) return;
    const last = runs.at(-1);
    if (last !== undefined && last.end === at && Math.abs(last.gray - gray) <= SAME_TINT_LEVELS) last.end = at + 1;
    else runs.push({ start: at, end: at + 1, gray });
  });
  return runs.filter(({ start, end }) => end - start >= MIN_TILES);
}

/** The tinted areas of a picture as boxes that do not overlap, to the accuracy of a tile. @param dpi pixels per inch */
export function findTints(gray: GrayImage, dpi: number): Tint[] {
  const limits = limitsOf(gray);
  const side = Math.max(Math.round(TILE_INCHES * dpi), 4);
  const [across, down] = [Math.floor(gray.width / side), Math.floor(gray.height / side)];
  const found: (Run & { top: number; bottom: number })[] = [];
  let open: typeof found = [];
  for (let row = 0; row < down; row += 1) {
    const tiles = Array.from({ length: across }, (_, column) => paperOf(gray, column * side, row * side, side));
    open = runsOf(tiles, limits).map((run) => {
      const above = open.find(
        ({ start, end, gray: own }) =>
          start === run.start && end === run.end && Math.abs(own - run.gray) <= SAME_TINT_LEVELS,
      );
      if (above !== undefined) {
        above.bottom = row + 1;
        return above;
      }
      const area = { ...run, top: row, bottom: row + 1 };
      found.push(area);
      return area;
    });
  }
  return found
    .filter(({ top, bottom }) => bottom - top >= MIN_TILES)
    .map(({ start, end, top, bottom, gray: tint }) => ({
      box: { left: start * side, top: top * side, right: end * side, bottom: bottom * side },
      gray: tint,
    }));
}

/** Gray of the tint beside an edge between two pixels: positive behind it, negative before it; 0 for no edge. */
function edgeAt(pixels: Uint8Array, at: number, step: number, { paper, palest, darkest }: TintLimits): number {
  const before = pixels[at - step * (SOFT_PIXELS + 1)] ?? 0;
  const behind = pixels[at + step * SOFT_PIXELS] ?? 0;
  const [bright, tint] = before > behind ? [before, behind] : [behind, before];
  if (bright - tint < paper - palest || tint < darkest) return 0;
  for (let more = 1; more <= SURE_PIXELS; more += 1) {
    if (Math.abs((pixels[at - step * (SOFT_PIXELS + 1 + more)] ?? 0) - before) > SAME_TINT_LEVELS) return 0;
    if (Math.abs((pixels[at + step * (SOFT_PIXELS + more)] ?? 0) - behind) > SAME_TINT_LEVELS) return 0;
  }
  for (const soft of [pixels[at - step] ?? 0, pixels[at] ?? 0])
    if (soft < tint - SAME_TINT_LEVELS || soft > bright + SAME_TINT_LEVELS) return 0;
  return before > behind ? tint : -tint;
}

/** Open edges, one a lane (a row or column). */
class EdgeLanes {
  readonly found: { place: number; start: number; end: number }[] = [];
  readonly #start: Int32Array;
  readonly #end: Int32Array;
  readonly #count: Int32Array;
  readonly #tint: Int32Array;
  readonly #shortest: number;

  constructor(lanes: number, shortest: number) {
    this.#start = new Int32Array(lanes);
    this.#end = new Int32Array(lanes).fill(-1 - MAX_GAP_PIXELS);
    this.#count = new Int32Array(lanes);
    this.#tint = new Int32Array(lanes);
    this.#shortest = shortest;
  }

  add(lane: number, place: number, tint: number): void {
    const isNext =
      place - (this.#end[lane] ?? 0) <= MAX_GAP_PIXELS && Math.abs((this.#tint[lane] ?? 0) - tint) <= SAME_TINT_LEVELS;
    if (!isNext) {
      this.#close(lane);
      this.#start[lane] = place;
      this.#count[lane] = 0;
      this.#tint[lane] = tint;
    }
    this.#end[lane] = place + 1;
    this.#count[lane] = (this.#count[lane] ?? 0) + 1;
  }

  close(): { place: number; start: number; end: number }[] {
    for (let lane = 0; lane < this.#end.length; lane += 1) this.#close(lane);
    return this.found;
  }

  #close(place: number): void {
    const [start, end] = [this.#start[place] ?? 0, this.#end[place] ?? 0];
    if (end - start >= this.#shortest && (this.#count[place] ?? 0) >= MIN_SHARP_SHARE * (end - start))
      this.found.push({ place, start, end });
  }
}

/** A call for each row: a function that runs once a picture is never compiled well. */
function searchRow(
  { width, pixels }: GrayImage,
  y: number,
  [rows, columns]: [EdgeLanes, EdgeLanes],
  limits: TintLimits,
): void {
  const margin = SOFT_PIXELS + SURE_PIXELS + 1;
  for (let x = margin, at = y * width + margin; x < width - margin; x += 1, at += 1) {
    // Most pixels lie on paper or tint alone.
    const before = pixels[at - (SOFT_PIXELS + 1)] ?? 0;
    const above = pixels[at - width * (SOFT_PIXELS + 1)] ?? 0;
    if (Math.abs((pixels[at + SOFT_PIXELS] ?? 0) - before) > SAME_TINT_LEVELS) {
      const tint = edgeAt(pixels, at, 1, limits);
      if (tint !== 0) columns.add(x, y, tint);
    }
    if (Math.abs((pixels[at + width * SOFT_PIXELS] ?? 0) - above) > SAME_TINT_LEVELS) {
      const tint = edgeAt(pixels, at, width, limits);
      if (tint !== 0) rows.add(y, x, tint);
    }
  }
}

/**
 * The straight edges between tinted and white paper, as boxes without thickness in pixels.
 * @param gray level picture
 * @param shortest pixels of the shortest edge
 */
export function findTintEdges(gray: GrayImage, shortest: number): Box[] {
  const { width, height } = gray;
  const limits = limitsOf(gray);
  const [rows, columns] = [new EdgeLanes(height, shortest), new EdgeLanes(width, shortest)];
  const margin = SOFT_PIXELS + SURE_PIXELS + 1;
  for (let y = margin; y < height - margin; y += 1) searchRow(gray, y, [rows, columns], limits);
  return [
    ...rows.close().map(({ place, start, end }) => ({ left: start, right: end, top: place, bottom: place })),
    ...columns.close().map(({ place, start, end }) => ({ left: place, right: place, top: start, bottom: end })),
  ];
}

/** Share of white of a tint. */
export const shadeOf = ({ gray }: Tint): number => gray / WHITE;
