/**
 * Connected components of ink ("pieces"), found row by row from runs of dark pixels (union of touching runs, diagonals
 * included). A piece is known by its index into these arrays; edges `right` and `bottom` lie behind the last pixel.
 */
import type { Box } from "../../ports/layout.ts";
import type { GrayImage } from "./gray-image.ts";

export interface Components {
  count: number;
  left: Int32Array;
  top: Int32Array;
  right: Int32Array;
  bottom: Int32Array;
  /** Pixels. */
  area: Int32Array;
  runs: Runs;
}

/** The box of a piece, in pixels. */
export const boxOfPiece = ({ left, top, right, bottom }: Components, index: number): Box => ({
  left: left[index] ?? 0,
  top: top[index] ?? 0,
  right: right[index] ?? 0,
  bottom: bottom[index] ?? 0,
});

/** Runs of ink, row by row: [start, end) in row `y`, of piece `owner`. */
export interface Runs {
  count: number;
  start: Int32Array;
  end: Int32Array;
  y: Int32Array;
  owner: Int32Array;
}

/** Runs of ink; a picture with more is grain, not text, and would take too much memory and time. */
const MAX_RUNS = 2 ** 21;

const widen = (array: Int32Array): Int32Array => {
  const wider = new Int32Array(array.length * 2);
  wider.set(array);
  return wider;
};

/** Gray from which each of four bytes counts as paper at one glance. */
const SURE_PAPER_GRAY = 0xc0;
const FOUR_PAPER_BITS = 0xc0c0c0c0 | 0;

/** The first pixel from `at` on, a multiple of four, that may be ink or stands in the last fours of the row. */
function afterPaper(fours: Int32Array, at: number, stop: number): number {
  let four = at >> 2;
  const end = Math.min(stop >> 2, fours.length);
  for (const last = end - 4; four <= last; four += 4) {
    const least = (fours[four] ?? 0) & (fours[four + 1] ?? 0) & (fours[four + 2] ?? 0) & (fours[four + 3] ?? 0);
    if ((least & FOUR_PAPER_BITS) !== FOUR_PAPER_BITS) break;
  }
  while (four < end && ((fours[four] ?? 0) & FOUR_PAPER_BITS) === FOUR_PAPER_BITS) four += 1;
  return four << 2;
}

/** Runs found so far. */
type FoundRuns = Pick<Runs, "start" | "end" | "y">;

/** Finds the runs of a row and stores them from index `count` on, where there is room. @returns the new count */
function findRunsInRow(
  gray: GrayImage,
  fours: Int32Array,
  threshold: number,
  row: number,
  found: FoundRuns,
  count: number,
): number {
  const { width, pixels } = gray;
  const { start, end, y } = found;
  const from = row * width;
  const stop = from + width;
  let runs = count;
  for (let at = from; at < stop; ) {
    if ((at & 3) === 0) at = afterPaper(fours, at, stop);
    if (at >= stop) break;
    if ((pixels[at] ?? 0) >= threshold) {
      at += 1;
      continue;
    }
    start[runs] = at - from;
    while (at < stop && (pixels[at] ?? 0) < threshold) at += 1;
    end[runs] = at - from;
    y[runs] = row;
    runs += 1;
  }
  return runs;
}

/** All runs, each its own piece; undefined where there is too much grain. */
function findRuns(gray: GrayImage, threshold: number): Runs | undefined {
  const { width, height, pixels } = gray;
  let found: FoundRuns = { start: new Int32Array(65_536), end: new Int32Array(65_536), y: new Int32Array(65_536) };
  // Most of a page is paper: four pixels are compared as one number.
  const fours =
    threshold <= SURE_PAPER_GRAY && pixels.byteOffset % 4 === 0
      ? new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2)
      : new Int32Array();
  let count = 0;
  // A call for each row: a function that runs once a picture is never compiled well.
  for (let row = 0; row < height; row += 1) {
    while (count + width > found.start.length) {
      found = { start: widen(found.start), end: widen(found.end), y: widen(found.y) };
    }
    count = findRunsInRow(gray, fours, threshold, row, found, count);
    if (count > MAX_RUNS) return undefined;
  }
  const owner = new Int32Array(count);
  for (let run = 0; run < count; run += 1) owner[run] = run;
  return { count, ...found, owner };
}

/** The first run of a piece, which stands for all of it. */
function rootOf(owner: Int32Array, run: number): number {
  let root = run;
  for (let next = owner[root] ?? root; next !== root; next = owner[root] ?? root) root = next;
  for (let at = run; at !== root; ) {
    const next = owner[at] ?? root;
    owner[at] = root;
    at = next;
  }
  return root;
}

/** Unites runs of neighbouring rows that touch. */
function unite({ count, start, end, y, owner }: Runs): void {
  let above = 0;
  for (let run = 0; run < count; run += 1) {
    const row = (y[run] ?? 0) - 1;
    while (
      above < run &&
      ((y[above] ?? 0) < row || ((y[above] ?? 0) === row && (end[above] ?? 0) < (start[run] ?? 0)))
    ) {
      above += 1;
    }
    for (let other = above; other < run && y[other] === row && (start[other] ?? 0) <= (end[run] ?? 0); other += 1) {
      const a = rootOf(owner, run);
      const b = rootOf(owner, other);
      if (a !== b) owner[Math.max(a, b)] = Math.min(a, b);
    }
  }
}

function measure(runs: Runs): Components {
  const { start, end, y, owner } = runs;
  const indexOf = new Int32Array(runs.count);
  let count = 0;
  for (let run = 0; run < runs.count; run += 1) {
    const root = rootOf(owner, run);
    if (root === run) {
      indexOf[run] = count;
      count += 1;
    }
  }
  const found: Components = {
    count,
    left: new Int32Array(count).fill(2 ** 31 - 1),
    top: new Int32Array(count).fill(2 ** 31 - 1),
    right: new Int32Array(count),
    bottom: new Int32Array(count),
    area: new Int32Array(count),
    runs,
  };
  for (let run = 0; run < runs.count; run += 1) {
    // Roots come before their other runs, so that a run's root still is a run's number here.
    const index = indexOf[owner[run] ?? 0] ?? 0;
    const from = start[run] ?? 0;
    const to = end[run] ?? 0;
    const row = y[run] ?? 0;
    found.left[index] = Math.min(found.left[index] ?? 0, from);
    found.right[index] = Math.max(found.right[index] ?? 0, to);
    found.top[index] = Math.min(found.top[index] ?? 0, row);
    found.bottom[index] = Math.max(found.bottom[index] ?? 0, row + 1);
    found.area[index] = (found.area[index] ?? 0) + to - from;
  }
  for (let run = 0; run < runs.count; run += 1) owner[run] = indexOf[owner[run] ?? 0] ?? 0;
  return found;
}

/**
 * Finds the pieces of ink of a picture; undefined where there is too much grain to tell them apart.
 * @param threshold pixels below it are ink
 */
export function findComponents(gray: GrayImage, threshold: number): Components | undefined {
  const runs = findRuns(gray, threshold);
  if (runs === undefined) return undefined;
  unite(runs);
  return measure(runs);
}

/** Visits every run of the chosen pieces, row by row. */
export function eachRun(
  { runs }: Components,
  chosen: (index: number) => boolean,
  visit: (start: number, end: number, y: number, owner: number) => void,
): void {
  for (let run = 0; run < runs.count; run += 1) {
    const owner = runs.owner[run] ?? 0;
    if (chosen(owner)) visit(runs.start[run] ?? 0, runs.end[run] ?? 0, runs.y[run] ?? 0, owner);
  }
}
