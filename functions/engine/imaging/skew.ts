/**
 * Direction of text, from how its letters stand in rows: the feet of the letters of a line share one straight line,
 * their heads do not (ascenders and capitals rise above the others). After Baird, "The skew angle of printed
 * documents", 1987: the feet are counted into bins along a direction, and the sum of the squares of the counts is
 * largest along the lines.
 */
import type { Components } from "./connected-components.ts";

/** Quarter turns clockwise after which the picture stands upright. */
export type QuarterTurns = 0 | 1 | 2 | 3;

export interface RowDirection {
  quarters: QuarterTurns;
  /** Degrees clockwise by which the text is still turned then; -MAX_SKEW_DEGREES to MAX_SKEW_DEGREES. */
  skew: number;
  /** How many times more often feet share a bin than by chance: about 1 for none, 3 and more for lines of text. */
  clarity: number;
}

const MAX_SKEW_DEGREES = 15;
const COARSE_STEP_DEGREES = 0.25;
const FINE_STEP_DEGREES = 0.05;
/** Height of a bin: a fraction of small type. */
const BIN_INCHES = 0.015;
/** Longer side of the smallest letters (type of four points), and of the largest. */
export const MIN_LETTER_INCHES = 0.03;
const MAX_LETTER_INCHES = 1.5;
/**
 * Ratio of a letter's sides; wider pieces are words whose letters touch: their middle foot is off the line where the
 * line is not level.
 */
const MAX_LETTER_SIDE_RATIO = 2;
const ENOUGH_COMPACT_LETTERS = 60;
/** Letters that are measured; more only take longer. */
const MAX_LETTERS = 2500;
/** Letters that tell a direction at least. */
const MIN_LETTERS = 8;

interface Points {
  /** Along the lines of text, and across them, downwards for a reader. Pixels. */
  along: Float64Array;
  across: Float64Array;
}

/** Indexes of the pieces that may be letters. */
export function letterPieces({ count, left, top, right, bottom, area }: Components, dpi: number): number[] {
  const [least, largest] = [MIN_LETTER_INCHES * dpi, MAX_LETTER_INCHES * dpi];
  const letters: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const width = (right[index] ?? 0) - (left[index] ?? 0);
    const height = (bottom[index] ?? 0) - (top[index] ?? 0);
    const longer = Math.max(width, height);
    // Less ink than a hairline around the piece is dust, more than nine tenths is a rule or a dot.
    const fill = (area[index] ?? 0) / (width * height);
    if (longer >= least && longer <= largest && Math.min(width, height) > 1 && fill > 0.05 && fill < 0.95) {
      letters.push(index);
    }
  }
  return letters;
}

function sampleLetters(pieces: Components, dpi: number): number[] {
  const letters = letterPieces(pieces, dpi);
  const compact = letters.filter((index) => {
    const width = (pieces.right[index] ?? 0) - (pieces.left[index] ?? 0);
    const height = (pieces.bottom[index] ?? 0) - (pieces.top[index] ?? 0);
    return width <= MAX_LETTER_SIDE_RATIO * height && height <= MAX_LETTER_SIDE_RATIO * width;
  });
  const chosen = compact.length >= ENOUGH_COMPACT_LETTERS ? compact : letters;
  const step = Math.max(1, Math.ceil(chosen.length / MAX_LETTERS));
  return chosen.filter((_, at) => at % step === 0);
}

/** The feet of letters for a reader who has turned the picture by some quarters. */
function feetOf({ left, top, right, bottom }: Components, letters: readonly number[], quarters: QuarterTurns): Points {
  const points = { along: new Float64Array(letters.length), across: new Float64Array(letters.length) };
  for (const [at, index] of letters.entries()) {
    const [l, t, r, b] = [left[index] ?? 0, top[index] ?? 0, right[index] ?? 0, bottom[index] ?? 0];
    const [x, y] = [(l + r) / 2, (t + b) / 2];
    const [along, across] = quarters === 0 ? [x, b] : quarters === 1 ? [-y, r] : quarters === 2 ? [-x, -t] : [y, -l];
    points.along[at] = along;
    points.across[at] = across;
  }
  return points;
}

/** Mean share of a bin with others, relative to chance. */
function alignment({ along, across }: Points, degrees: number, bin: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const heights = new Float64Array(along.length);
  for (let at = 0; at < along.length; at += 1) {
    const height = ((across[at] ?? 0) - (along[at] ?? 0) * slope) / bin;
    heights[at] = height;
    if (height < least) least = height;
    if (height > most) most = height;
  }
  const bins = Math.floor(most - least) + 1;
  const counts = new Int32Array(bins);
  let squares = 0;
  for (let at = 0; at < heights.length; at += 1) {
    const place = Math.floor((heights[at] ?? 0) - least);
    const count = counts[place] ?? 0;
    squares += 2 * count + 1;
    counts[place] = count + 1;
  }
  const letters = along.length;
  return squares / (letters + (letters * (letters - 1)) / bins);
}

function bestSkew(
  points: Points,
  around: number,
  range: number,
  step: number,
  bin: number,
): { skew: number; clarity: number } {
  let found = { skew: 0, clarity: 0 };
  const steps = Math.round(range / step);
  for (let at = -steps; at <= steps; at += 1) {
    const skew = around + at * step;
    const clarity = alignment(points, skew, bin);
    // Level wins a tie: most pages are level.
    if (clarity > found.clarity || (clarity === found.clarity && Math.abs(skew) < Math.abs(found.skew))) {
      found = { skew, clarity };
    }
  }
  return found;
}

/**
 * The direction of the rows for a reader who has turned the picture by some quarters.
 * @param dpi pixels per inch
 * @returns undefined for too few letters
 */
export function findRowDirection(pieces: Components, dpi: number, quarters: QuarterTurns): RowDirection | undefined {
  const letters = sampleLetters(pieces, dpi);
  if (letters.length < MIN_LETTERS) return undefined;
  const points = feetOf(pieces, letters, quarters);
  const bin = Math.max(BIN_INCHES * dpi, 1.5);
  const coarse = bestSkew(points, 0, MAX_SKEW_DEGREES, COARSE_STEP_DEGREES, bin);
  const fine = bestSkew(points, coarse.skew, COARSE_STEP_DEGREES, FINE_STEP_DEGREES, bin / 2);
  return { quarters, skew: Math.round(fine.skew * 100) / 100, clarity: coarse.clarity };
}
