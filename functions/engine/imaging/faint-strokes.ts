/**
 * Straight pieces of faint ink: hairlines and gray lines that lie above the threshold of the page's ink, or in part. They
 * are told by the paper beside them instead: a thin valley of one shade, brighter on both sides.
 */
import { type GrayImage, WHITE } from "./gray-image.ts";
import type { Stroke } from "./rule-strokes.ts";

/** A stroke of faint ink with the gray below which it is ink. */
export interface FaintStroke extends Stroke {
  threshold: number;
}

/** A level picture of a page. */
export interface FaintSource {
  /** Its paper white; other rules, frames and dots are erased from it. */
  cleaned: GrayImage;
  /** As it was before, as making paper white leaves streaks beside tints; the same one where it is not known. */
  source: GrayImage;
}

interface FaintLimits {
  /** Gray below which ink is black: no faint stroke is so dark. */
  black: number;
  /** Pixels of the thickest stroke, and of the shortest. */
  thickest: number;
  shortest: number;
}

/**
 * Gray levels, of 255, by which the paper on both sides is brighter at least: a hairline of gray 206 to 224 that a
 * renderer spreads over two rows of pixels differs by 15. More on grainy paper, by a multiple of the grain.
 */
const MIN_CONTRAST_LEVELS = 10;
const GRAIN_FACTOR = 4;
/** Every how many pixels the grain is measured. */
const GRAIN_STEP = 29;
/** Gray levels by which a stroke's pixels differ from its mean: soft edges of type differ by more from pixel to pixel. */
const ONE_SHADE_LEVELS = 16;
/** Pixels of paper in a row that noise leaves in a stroke; and the share of a stroke that is not covered by other ink. */
const MAX_GAP_PIXELS = 2;
const MIN_SEEN_SHARE = 0.8;

/** Open strokes, one a lane (a row or column), in arrays as pixels are many. */
class FaintLanes {
  readonly strokes: FaintStroke[] = [];
  readonly #start: Int32Array;
  /** Behind the last pixel of the stroke, and behind the last of other ink that covers it from there on. */
  readonly #end: Int32Array;
  readonly #reach: Int32Array;
  readonly #count: Int32Array;
  readonly #sum: Int32Array;
  readonly #limits: FaintLimits;
  readonly #contrast: number;

  constructor(lanes: number, limits: FaintLimits, contrast: number) {
    this.#start = new Int32Array(lanes);
    this.#end = new Int32Array(lanes);
    this.#reach = new Int32Array(lanes).fill(-1 - MAX_GAP_PIXELS);
    this.#count = new Int32Array(lanes);
    this.#sum = new Int32Array(lanes);
    this.#limits = limits;
    this.#contrast = contrast;
  }

  /** Adds a pixel of a valley; in order within each lane. */
  add(lane: number, place: number, value: number): void {
    const count = this.#count[lane] ?? 0;
    const isNear = place - (this.#reach[lane] ?? 0) <= MAX_GAP_PIXELS;
    if (!isNear || count === 0 || Math.abs(value * count - (this.#sum[lane] ?? 0)) > ONE_SHADE_LEVELS * count) {
      if (isNear && this.cover(lane, place, value)) return;
      this.#close(lane);
      this.#start[lane] = place;
      this.#sum[lane] = 0;
      this.#count[lane] = 0;
    }
    this.#sum[lane] = (this.#sum[lane] ?? 0) + value;
    this.#count[lane] = (this.#count[lane] ?? 0) + 1;
    this.#end[lane] = place + 1;
    this.#reach[lane] = place + 1;
  }

  /** Notes a pixel that is no valley. @returns true for one of darker ink over the lane's open stroke */
  cover(lane: number, place: number, value: number): boolean {
    if (place - (this.#reach[lane] ?? 0) > MAX_GAP_PIXELS) return false;
    const count = this.#count[lane] ?? 0;
    if ((value + ONE_SHADE_LEVELS) * count >= (this.#sum[lane] ?? 0)) return false;
    this.#reach[lane] = place + 1;
    return true;
  }

  close(): FaintStroke[] {
    for (let lane = 0; lane < this.#end.length; lane += 1) this.#close(lane);
    return this.strokes;
  }

  #close(place: number): void {
    const count = this.#count[place] ?? 0;
    const [start, end] = [this.#start[place] ?? 0, this.#end[place] ?? 0];
    const length = end - start;
    if (length < this.#limits.shortest || count < MIN_SEEN_SHARE * length) return;
    const shade = (this.#sum[place] ?? 0) / count;
    if (shade >= this.#limits.black)
      this.strokes.push({ place, start, end, threshold: Math.ceil(shade + this.#contrast) });
  }
}

/** Contrast of a stroke with its paper at least, in gray levels. */
function leastContrast({ pixels }: GrayImage, black: number): number {
  let [sum, count] = [0, 0];
  for (let at = 0; at + 1 < pixels.length; at += GRAIN_STEP) {
    const [value, next] = [pixels[at] ?? 0, pixels[at + 1] ?? 0];
    if (value < black || next < black) continue;
    sum += Math.abs(value - next);
    count += 1;
  }
  return Math.max(MIN_CONTRAST_LEVELS, count === 0 ? 0 : (GRAIN_FACTOR * sum) / count);
}

/** True if a pixel as bright as `bright` lies within `most` steps on both sides. */
function isValley(pixels: Uint8Array, at: number, step: number, most: number, bright: number): boolean {
  let near = 1;
  while (near <= most && (pixels[at - step * near] ?? 0) < bright) near += 1;
  if (near > most) return false;
  near = 1;
  while (near <= most && (pixels[at + step * near] ?? 0) < bright) near += 1;
  return near <= most;
}

/** A call for each row: a function that runs once a picture is never compiled well. */
function searchRow(
  { cleaned: { width, pixels }, source }: FaintSource,
  y: number,
  [rows, columns]: [FaintLanes, FaintLanes],
  most: number,
  contrast: number,
): void {
  const palest = WHITE - contrast;
  for (let x = most, at = y * width + most; x < width - most; x += 1, at += 1) {
    const value = pixels[at] ?? WHITE;
    if (value > palest) continue;
    const bright = (source.pixels[at] ?? WHITE) + contrast;
    if (isValley(source.pixels, at, width, most, bright)) rows.add(y, x, value);
    else rows.cover(y, x, value);
    if (isValley(source.pixels, at, 1, most, bright)) columns.add(x, y, value);
    else columns.cover(x, y, value);
  }
}

/** Finds the straight strokes that are fainter than the page's ink. */
export function findFaintStrokes(
  picture: FaintSource,
  limits: FaintLimits,
): { level: FaintStroke[]; upright: FaintStroke[] } {
  const { width, height } = picture.cleaned;
  const contrast = leastContrast(picture.cleaned, limits.black);
  const [rows, columns] = [new FaintLanes(height, limits, contrast), new FaintLanes(width, limits, contrast)];
  const most = limits.thickest;
  for (let y = most; y < height - most; y += 1) searchRow(picture, y, [rows, columns], most, contrast);
  return { level: rows.close(), upright: columns.close() };
}
