/**
 * Rules taken out of a level picture: lines of forms and tables, underlines. Text that crosses a rule keeps its strokes:
 * a rule's pixels go only where the ink is no thicker than the rule.
 */

import type { Box } from "../../ports/layout.ts";
import { histogramQuantile } from "../layout/geometry.ts";
import { type Components, eachRun } from "./connected-components.ts";
import { type Gray, WHITE } from "./gray-image.ts";

/** All in inches. Straighter and longer than any stroke of a letter below 40 points. */
const LEAST_LENGTH = 0.3;
/** Longer than rows of letters run on that touch or nearly do. */
const LONG = 0.6;
/** Three points; thicker bars are parts of drawings. */
const MOST_THICKNESS = 0.045;
/** Rules are so many times longer than thick; the stem of an l is ten times. */
const SLENDER = 15;
/** What is thicker than this must be black nearly everywhere: fine print that is blurred runs together to gray bars. */
const THIN = 0.022;
const BLACK = 0.95;
/** Pixels of paper that noise leaves in a rule, one after the other; and the share of a rule that is ink. */
const MOST_GAP = 2;
const LEAST_INK = 0.93;
const LEAST_INK_LONG = 0.82;
/** Both edges of a rule are straight, those of letters in a row are not: share of its length, and pixels. */
const EVEN = 0.75;
const UNEVENNESS = 1;
/** Rows of pixels of one rule are no further apart. */
const SIDE_BY_SIDE = 2;

/** A straight piece of ink, one pixel thick: from `start` up to `end` along the rule, at `place` across it. */
interface Stroke {
  place: number;
  start: number;
  end: number;
}

/** The two ways of walking a picture: along rows for level rules, along columns for upright ones. */
interface Walk {
  /** How far apart pixels are in memory along a rule, and across it. */
  stepAlong: number;
  stepAcross: number;
  /** Pixels across. */
  across: number;
}

/** Strokes in hand, one a lane (a row or column). Runs are many: no array is made for one of them. */
class Lanes {
  readonly strokes: Stroke[] = [];
  readonly #start: Int32Array;
  readonly #end: Int32Array;
  readonly #ink: Int32Array;
  readonly #least: number;
  readonly #long: number;

  constructor(lanes: number, dpi: number) {
    this.#start = new Int32Array(lanes);
    this.#end = new Int32Array(lanes).fill(-1);
    this.#ink = new Int32Array(lanes);
    this.#least = Math.round(LEAST_LENGTH * dpi);
    this.#long = Math.round(LONG * dpi);
  }

  /** Ink from `from` up to `to` in a lane; in order within each. */
  add(lane: number, from: number, to: number): void {
    const end = this.#end[lane] ?? -1;
    if (end < 0 || from - end > MOST_GAP) this.#begin(lane, from);
    this.#end[lane] = to;
    this.#ink[lane] = (this.#ink[lane] ?? 0) + to - from;
  }

  /** Ink at `place` of the lanes from `first` up to `end`: `add` for a pixel of each, without its calls. */
  addAcross(first: number, end: number, place: number): void {
    const ends = this.#end;
    const inks = this.#ink;
    for (let lane = first; lane < end; lane += 1) {
      const before = ends[lane] ?? -1;
      if (before < 0 || place - before > MOST_GAP) this.#begin(lane, place);
      ends[lane] = place + 1;
      inks[lane] = (inks[lane] ?? 0) + 1;
    }
  }

  close(): Stroke[] {
    for (let lane = 0; lane < this.#end.length; lane += 1) this.#close(lane);
    return this.strokes;
  }

  #begin(lane: number, from: number): void {
    this.#close(lane);
    this.#start[lane] = from;
    this.#ink[lane] = 0;
  }

  #close(place: number): void {
    const start = this.#start[place] ?? 0;
    const end = this.#end[place] ?? -1;
    const length = end - start;
    if (length < this.#least) return;
    const share = length < this.#long ? LEAST_INK : LEAST_INK_LONG;
    if ((this.#ink[place] ?? 0) >= share * length) this.strokes.push({ place, start, end });
  }
}

function findStrokes(
  { width, height }: Gray,
  pieces: Components,
  chosen: (index: number) => boolean,
  dpi: number,
): { level: Stroke[]; upright: Stroke[] } {
  const [rows, columns] = [new Lanes(height, dpi), new Lanes(width, dpi)];
  eachRun(pieces, chosen, (start, end, y) => {
    rows.add(y, start, end);
    columns.addAcross(start, end, y);
  });
  return { level: rows.close(), upright: columns.close() };
}

/** Pixels of ink across the rule from `at` in one direction, `most` at most. */
function depth(pixels: Uint8Array, threshold: number, at: number, step: number, room: number, most: number): number {
  let deep = 0;
  const limit = Math.min(room, most);
  while (deep < limit && (pixels[at + step * (deep + 1)] ?? WHITE) < threshold) deep += 1;
  return deep;
}

/** Gray below which there is ink, and below which it is black; pixels of a thin rule, and of the thickest. */
interface Limits {
  threshold: number;
  black: number;
  thin: number;
  most: number;
}

/** Of each pixel of a stroke's ink: where it is, and the ink before and behind it; as many as were found. */
interface Spans {
  at: Int32Array;
  before: Int32Array;
  behind: Int32Array;
}

/** How many pixels have each depth. */
function countDepths(depths: Int32Array, count: number, most: number): Uint32Array {
  const counts = new Uint32Array(most + 1);
  for (let pixel = 0; pixel < count; pixel += 1) {
    const deep = depths[pixel] ?? 0;
    counts[deep] = (counts[deep] ?? 0) + 1;
  }
  return counts;
}

/**
 * Erases a stroke where the ink across it is no thicker than the rule, with the soft edge of a pixel on both sides; not
 * at all when it is no rule.
 * @returns whether it is one
 */
function eraseStroke(
  gray: Gray,
  ink: Uint8Array,
  walk: Walk,
  { place, start, end }: Stroke,
  limits: Limits,
  spans: Spans,
): boolean {
  const { stepAlong, stepAcross, across } = walk;
  const { threshold, black, thin } = limits;
  const thickest = Math.min(limits.most, Math.floor((end - start) / SLENDER));
  // Deeper ink is too deep, however deep it is.
  const most = Math.min(limits.most, thickest + UNEVENNESS);
  let [pixels, dark] = [0, 0];
  for (let position = start; position < end; position += 1) {
    const at = position * stepAlong + place * stepAcross;
    const value = ink[at] ?? WHITE;
    if (value >= threshold) continue;
    if (value < black) dark += 1;
    spans.at[pixels] = at;
    spans.before[pixels] = depth(ink, threshold, at, -stepAcross, place, most);
    pixels += 1;
  }
  if (pixels === 0) return false;
  const befores = countDepths(spans.before, pixels, most);
  const above = histogramQuantile(befores, 0.5);
  const isEven = (counts: Uint32Array, middle: number): boolean => {
    const even = counts.subarray(Math.max(middle - UNEVENNESS, 0), middle + UNEVENNESS + 1);
    return even.reduce((sum, count) => sum + count, 0) >= EVEN * pixels;
  };
  // Most strokes are rows of a picture or a bar: half a look tells.
  if (above >= thickest || !isEven(befores, above)) return false;
  const room = across - 1 - place;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    spans.behind[pixel] = depth(ink, threshold, spans.at[pixel] ?? 0, stepAcross, room, most);
  }
  const behinds = countDepths(spans.behind, pixels, most);
  const below = histogramQuantile(behinds, 0.5);
  const thickness = above + below + 1;
  if (thickness > thickest || (thickness > thin && dark < BLACK * pixels) || !isEven(behinds, below)) return false;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const at = spans.at[pixel] ?? 0;
    const before = spans.before[pixel] ?? 0;
    const behind = spans.behind[pixel] ?? 0;
    if (before > above + UNEVENNESS || behind > below + UNEVENNESS) continue;
    const last = Math.min(behind + 1, room);
    for (let offset = -Math.min(before + 1, place); offset <= last; offset += 1) {
      gray.pixels[at + offset * stepAcross] = WHITE;
    }
  }
  return true;
}

/** A rule: strokes from `place` to `last` across it. */
interface Joined extends Stroke {
  last: number;
}

/** Strokes that lie side by side, from the first start to the last end. */
function joinStrokes(strokes: readonly Stroke[]): Joined[] {
  const joined: Joined[] = [];
  let open: Joined[] = [];
  for (const { place, start, end } of [...strokes].sort((a, b) => a.place - b.place || a.start - b.start)) {
    open = open.filter(({ last }) => place - last <= SIDE_BY_SIDE);
    const own = open.find((one) => one.last < place && start < one.end && one.start < end);
    if (own === undefined) {
      const rule = { place, start, end, last: place };
      joined.push(rule);
      open.push(rule);
      continue;
    }
    own.last = place;
    own.start = Math.min(own.start, start);
    own.end = Math.max(own.end, end);
  }
  return joined;
}

/** Where rules were, pixels; `right` and `bottom` lie behind the last. */
const boxesOf = (level: readonly Stroke[], upright: readonly Stroke[]): Box[] => [
  ...joinStrokes(level).map(({ place, last, start, end }) => ({
    left: start,
    top: place,
    right: end,
    bottom: last + 1,
  })),
  ...joinStrokes(upright).map(({ place, last, start, end }) => ({
    left: place,
    top: start,
    right: last + 1,
    bottom: end,
  })),
];

/**
 * Erases level and upright rules in place.
 * @param gray level to a tenth of a degree or so
 * @param pieces of its ink, before anything was erased
 * @param chosen those that are looked at
 * @param threshold pixels below it are ink or its soft edges
 * @param black pixels below it are ink
 * @param dpi pixels per inch
 * @returns where they were, pixels
 */
export function eraseRules(
  gray: Gray,
  pieces: Components,
  chosen: (index: number) => boolean,
  { threshold, black, dpi }: { threshold: number; black: number; dpi: number },
): Box[] {
  const { width, height, pixels } = gray;
  const limits: Limits = {
    threshold,
    black,
    thin: Math.max(Math.round(THIN * dpi), 2),
    most: Math.max(Math.round(MOST_THICKNESS * dpi), 3),
  };
  const { level, upright } = findStrokes(gray, pieces, chosen, dpi);
  if (level.length + upright.length === 0) return [];
  const along: Walk = { stepAlong: 1, stepAcross: width, across: height };
  const down: Walk = { stepAlong: width, stepAcross: 1, across: width };
  const longest = Math.max(width, height);
  const spans = { at: new Int32Array(longest), before: new Int32Array(longest), behind: new Int32Array(longest) };
  const ink = new Uint8Array(pixels.length);
  const found = { level: new Set<Stroke>(), upright: new Set<Stroke>() };
  // The second time takes the crossings of rules: what stood on them is gone then.
  for (let time = 0; time < 2; time += 1) {
    ink.set(pixels); // what a stroke crosses must not depend on the strokes before it
    for (const stroke of level) if (eraseStroke(gray, ink, along, stroke, limits, spans)) found.level.add(stroke);
    for (const stroke of upright) if (eraseStroke(gray, ink, down, stroke, limits, spans)) found.upright.add(stroke);
  }
  return boxesOf([...found.level], [...found.upright]);
}
