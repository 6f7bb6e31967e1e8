/** Straight pieces of ink on a level picture, of which rules consist. */
import { lowerBound } from "../layout/binary-search.ts";
import { type Components, eachRun } from "./connected-components.ts";
import type { GrayImage } from "./gray-image.ts";

/**
 * Length of a line that is a side of a cell, because it ends at longer rules on both sides: more than any stroke of small type, less than
 * the height of a row to write in. And its distance from them.
 */
export const MIN_SIDE_INCHES = 0.1;
const MAX_SIDE_GAP_INCHES = 0.015;
/** Length from which a row of letters that touch, or nearly do, is no candidate. */
const LONG_RULE_INCHES = 0.6;
/** Pixels of paper in a row that noise leaves in a rule; and the share of a rule, and of a long one, that is ink. */
const MAX_GAP_PIXELS = 2;
const MIN_INK_SHARE = 0.93;
const MIN_INK_SHARE_LONG = 0.82;

/** A straight piece of ink, one pixel thick: from `start` up to `end` along the rule, at `place` across it. */
export interface Stroke {
  place: number;
  start: number;
  end: number;
}

/** Open strokes, one a lane (a row or column). Runs are many: none has an array of its own. */
class Lanes {
  readonly strokes: Stroke[] = [];
  readonly #start: Int32Array;
  readonly #end: Int32Array;
  readonly #ink: Int32Array;
  readonly #least: number;
  readonly #long: number;

  constructor(lanes: number, dpi: number, shortest: number) {
    this.#start = new Int32Array(lanes);
    this.#end = new Int32Array(lanes).fill(-1);
    this.#ink = new Int32Array(lanes);
    this.#least = Math.round(shortest * dpi);
    this.#long = Math.round(LONG_RULE_INCHES * dpi);
  }

  /** Adds ink from `from` up to `to` in a lane; in order within each lane. */
  add(lane: number, from: number, to: number): void {
    const end = this.#end[lane] ?? -1;
    if (end < 0 || from - end > MAX_GAP_PIXELS) this.#begin(lane, from);
    this.#end[lane] = to;
    this.#ink[lane] = (this.#ink[lane] ?? 0) + to - from;
  }

  /** Adds ink at `place` of the lanes from `first` up to `end`: `add` for a pixel of each, without its calls. */
  addAcross(first: number, end: number, place: number): void {
    const ends = this.#end;
    const inks = this.#ink;
    for (let lane = first; lane < end; lane += 1) {
      const before = ends[lane] ?? -1;
      if (before < 0 || place - before > MAX_GAP_PIXELS) this.#begin(lane, place);
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
    const share = length < this.#long ? MIN_INK_SHARE : MIN_INK_SHARE_LONG;
    if ((this.#ink[place] ?? 0) >= share * length) this.strokes.push({ place, start, end });
  }
}

/** @param chosen pieces that are searched @param shortest inches of the shortest stroke */
export function findStrokes(
  { width, height }: GrayImage,
  pieces: Components,
  chosen: (index: number) => boolean,
  [dpi, shortest]: [number, number],
): { level: Stroke[]; upright: Stroke[] } {
  const [rows, columns] = [new Lanes(height, dpi, shortest), new Lanes(width, dpi, shortest)];
  eachRun(pieces, chosen, (start, end, y) => {
    rows.add(y, start, end);
    columns.addAcross(start, end, y);
  });
  return { level: rows.close(), upright: columns.close() };
}

/** Strokes that end at longer ones across them on both sides. */
export function sidesBetween(short: readonly Stroke[], across: readonly Stroke[], dpi: number): Stroke[] {
  const gap = Math.round(MAX_SIDE_GAP_INCHES * dpi);
  const sorted = across.toSorted((a, b) => a.place - b.place);
  return short.filter(({ place, start, end }) => {
    const isAt = (edge: number): boolean => {
      for (let at = lowerBound(sorted, (one) => one.place, edge - gap); at < sorted.length; at += 1) {
        const rule = sorted[at];
        if (rule === undefined || rule.place > edge + gap) return false;
        if (rule.start <= place + gap && rule.end >= place - gap) return true;
      }
      return false;
    };
    return isAt(start) && isAt(end);
  });
}
