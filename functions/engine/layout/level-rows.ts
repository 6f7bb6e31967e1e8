/**
 * Levels the rows of a photographed page. Paper that is bent, or seen at a slant, has rows of many slopes: the words of
 * one recognised line tell the slope of the rows around it. Inches; slopes in inches down by inch to the right.
 */
import type { Box, Line, Page } from "../../ports/layout.ts";
import { median, middleX, middleY } from "./geometry.ts";
import { blockLines } from "./page-words.ts";

/** Lines that tell the slopes of a page, and those nearest to a row that tell its own. */
const MIN_LINES = 6;
const NEAREST_LINES = 12;
/**
 * Rows up to this slope are level, as those of flat scans are; from the other on a line's words are of several rows (15
 * degrees). Of 100 pictures of receipts and bills, the slope changes by 0.025 down the usual one, and by up to 0.25.
 */
const MAX_LEVEL_SLOPE = 0.004;
const MAX_SLOPE = 0.27;
/** Distance of the rows whose slopes are measured, in heights of words. */
const STEP_HEIGHTS = 3;
/** Times that the row of a place is sought again by its slope: each halves the error of bent paper at least. */
const SEARCH_STEPS = 4;
/** Words around a row that correct its slope, in heights, and at most. */
const WINDOW_HEIGHTS = 5;
const MAX_WORDS = 60;
/** The correction at most, in heights of a word at the margin: rows that are a whole row off look as clear. */
const MAX_CORRECTION_HEIGHTS = 0.6;
/** Shares of it that are tried, the smallest first, and how much clearer a larger one must be. */
const CORRECTIONS = [0, -0.2, 0.2, -0.4, 0.4, -0.6, 0.6, -0.8, 0.8, -1, 1];
const MIN_CLARITY_RATIO = 1.05;
/** Words whose middles are this near to each other, in heights, may be on one row. */
const SAME_ROW_HEIGHTS = 0.4;

/** The slope of one line, and where it crosses the upright through the middle of the text. */
interface LineSlope {
  y: number;
  slope: number;
  weight: number;
}

const isRecognised = ({ words }: Line): boolean =>
  words.every(({ source, confidence }) => source === "ocr" || confidence !== undefined);

/** The slope of the middles of a line's words by least squares; null for words too near to each other to tell. */
function slopeOf({ words }: Line, x0: number): LineSlope | null {
  const points = words.map(({ box }) => ({ x: middleX(box), y: middleY(box) }));
  const [x, y] = [sumOf(points, (one) => one.x) / points.length, sumOf(points, (one) => one.y) / points.length];
  const spread = sumOf(points, (one) => (one.x - x) ** 2);
  if (spread < median(words.map(({ box }) => box.bottom - box.top)) ** 2) return null;
  const slope = sumOf(points, (one) => (one.x - x) * (one.y - y)) / spread;
  return Math.abs(slope) > MAX_SLOPE ? null : { y: y - slope * (x - x0), slope, weight: Math.sqrt(spread) };
}

const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

/** The weighted median of slopes. */
function usualSlope(lines: readonly LineSlope[]): number {
  const sorted = [...lines].sort((a, b) => a.slope - b.slope);
  let left = sumOf(sorted, ({ weight }) => weight) / 2;
  const middle = sorted.find(({ weight }) => {
    left -= weight;
    return left <= 0;
  });
  return middle?.slope ?? 0;
}

/** Slopes of rows at equal distances, by the place where rows cross the upright through the middle of the text. */
interface RowSlopes {
  top: number;
  step: number;
  slopes: readonly number[];
}

const smooth = (numbers: readonly number[]): number[] =>
  numbers.map((own, at) => ((numbers[at - 1] ?? own) + 2 * own + (numbers[at + 1] ?? own)) / 4);

function measure(lines: readonly LineSlope[], step: number): RowSlopes {
  const [top, bottom] = [Math.min(...lines.map(({ y }) => y)), Math.max(...lines.map(({ y }) => y))];
  const slopes = Array.from({ length: Math.ceil((bottom - top) / step) + 1 }, (_, at) => {
    const y = top + at * step;
    return usualSlope([...lines].sort((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y)).slice(0, NEAREST_LINES));
  });
  return { top, step, slopes: smooth(slopes) };
}

function slopeAt({ top, step, slopes }: RowSlopes, y: number): number {
  const at = Math.min(Math.max((y - top) / step, 0), slopes.length - 1);
  const [before, after] = [slopes[Math.floor(at)] ?? 0, slopes[Math.ceil(at)] ?? 0];
  return before + (after - before) * (at - Math.floor(at));
}

/** Where the row of a place crosses the upright through the middle. @param x distance from that upright */
function rowOf(rows: RowSlopes, x: number, y: number): number {
  let row = y;
  for (let step = 0; step < SEARCH_STEPS; step += 1) row = y - slopeAt(rows, row) * x;
  return row;
}

/** Corrects each slope so that words of the rows around it that stand far from each other meet. */
function refine(rows: RowSlopes, words: readonly { x: number; y: number }[], height: number): RowSlopes {
  const placed = words.map(({ x, y }) => ({ x, row: rowOf(rows, x, y) })).sort((a, b) => a.row - b.row);
  const reach = Math.max(...words.map(({ x }) => Math.abs(x)));
  const most = (MAX_CORRECTION_HEIGHTS * height) / reach;
  const corrections = rows.slopes.map((_, at) => {
    const y = rows.top + at * rows.step;
    const near = placed.filter(({ row }) => Math.abs(row - y) <= WINDOW_HEIGHTS * height).slice(0, MAX_WORDS);
    let [best, clearest] = [0, 0];
    for (const part of CORRECTIONS) {
      const found = clarity(near, part * most, height);
      if (found > clearest * MIN_CLARITY_RATIO) [best, clearest] = [part * most, found];
    }
    return best;
  });
  const smoothed = smooth(corrections);
  return { ...rows, slopes: rows.slopes.map((slope, at) => slope + (smoothed[at] ?? 0)) };
}

/** The sum of how near pairs of words are to one row, by their distance. */
function clarity(words: readonly { x: number; row: number }[], slope: number, height: number): number {
  let sum = 0;
  for (const [at, a] of words.entries()) {
    for (let other = at + 1; other < words.length; other += 1) {
      const b = words[other] ?? a;
      const apart = Math.abs(b.row - a.row - slope * (b.x - a.x)) / (SAME_ROW_HEIGHTS * height);
      if (apart < 1) sum += (1 - apart) * Math.abs(b.x - a.x);
    }
  }
  return sum;
}

/** Moves boxes up and down, onto the page with level rows and back. */
export interface Levelling {
  level(box: Box): Box;
  restore(box: Box): Box;
}

const moved = (box: Box, down: number): Box => ({ ...box, top: box.top + down, bottom: box.bottom + down });

/** How the rows of an upright page become level; null where they are, and for a page of a text layer. */
export function levellingOf({ blocks }: Pick<Page, "blocks">): Levelling | null {
  const lines = blocks.flatMap(blockLines).filter((line) => line.words.length > 1 && isRecognised(line));
  if (lines.length < MIN_LINES) return null;
  const boxes = blocks.flatMap(blockLines).flatMap((line) => line.words.map(({ box }) => box));
  const x0 = median(boxes.map(middleX));
  const sloping = lines.flatMap((line) => slopeOf(line, x0) ?? []);
  if (sloping.length < MIN_LINES) return null;
  const height = median(boxes.map(({ top, bottom }) => bottom - top));
  const words = boxes.map((box) => ({ x: middleX(box) - x0, y: middleY(box) }));
  const measured = measure(sloping, STEP_HEIGHTS * height);
  // Flat scans are the most, and need no correction.
  if (measured.slopes.every((slope) => Math.abs(slope) <= MAX_LEVEL_SLOPE)) return null;
  const rows = refine(measured, words, height);
  return {
    level: (box) => moved(box, rowOf(rows, middleX(box) - x0, middleY(box)) - middleY(box)),
    restore: (box) => moved(box, slopeAt(rows, middleY(box)) * (middleX(box) - x0)),
  };
}
