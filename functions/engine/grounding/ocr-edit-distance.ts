/** Edit distance between a text and its recognition: lookalike characters are nearly equal. */

/** Groups of single characters that recognition confuses, folded. */
const LOOKALIKE_GROUPS = ["0oqd", "1il|!tj", "5s", "8b", "2z", "6gb", "9gq", "4a", "uv", "ce", "ao", "nh", "fr", "7t"];
const LOOKALIKE_COST = 0.3;
/** Pairs of characters that look like one character. */
const MERGED_CHARACTERS: readonly [string, string][] = [
  ["rn", "m"],
  ["cl", "d"],
  ["vv", "w"],
  ["li", "h"],
  ["ii", "u"],
  ["ni", "m"],
  ["ri", "n"],
];
const MERGE_COST = 0.4;

const LOOKALIKE_PAIRS = new Set(
  LOOKALIKE_GROUPS.flatMap((group) => [...group].flatMap((a) => [...group].filter((b) => a !== b).map((b) => a + b))),
);
const isDigit = (char: string): boolean => char >= "0" && char <= "9";

/** A digit never becomes another digit: that would be another value. */
function substitutionCost(a: string, b: string): number {
  if (a === b) return 0;
  if (isDigit(a) && isDigit(b)) return Number.POSITIVE_INFINITY;
  if (LOOKALIKE_PAIRS.has(a + b)) return LOOKALIKE_COST;
  return isDigit(a) || isDigit(b) ? Number.POSITIVE_INFINITY : 1;
}

const gapCost = (char: string): number => (isDigit(char) ? Number.POSITIVE_INFINITY : 1);

/** Cost of two characters of one text for one of the other, ending at `i` and `j`. */
function mergeCost(a: string, i: number, b: string, j: number, rows: readonly number[][]): number {
  let best = Number.POSITIVE_INFINITY;
  for (const [two, one] of MERGED_CHARACTERS) {
    if (a.endsWith(two, i) && b.endsWith(one, j)) best = Math.min(best, (rows[2]?.[j - 1] ?? best) + MERGE_COST);
    if (b.endsWith(two, j) && a.endsWith(one, i)) best = Math.min(best, (rows[1]?.[j - 2] ?? best) + MERGE_COST);
  }
  return best;
}

/**
 * Levenshtein distance with cheap confusions and without any change of digits.
 * @param a folded text @param b folded text @returns Infinity as soon as it exceeds `limit`
 */
export function ocrEditDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit * 2 + 1) return Number.POSITIVE_INFINITY;
  const start = [0];
  for (let j = 1; j <= b.length; j += 1) start.push((start[j - 1] ?? 0) + gapCost(b.charAt(j - 1)));
  let above = start;
  let before: number[] = [];
  for (let i = 1; i <= a.length; i += 1) {
    const char = a.charAt(i - 1);
    const row = [(above[0] ?? 0) + gapCost(char)];
    let least = row[0] ?? 0;
    for (let j = 1; j <= b.length; j += 1) {
      const other = b.charAt(j - 1);
      const cost = Math.min(
        (above[j - 1] ?? 0) + substitutionCost(char, other),
        (above[j] ?? 0) + gapCost(char),
        (row[j - 1] ?? 0) + gapCost(other),
        mergeCost(a, i, b, j, [row, above, before]),
      );
      row.push(cost);
      least = Math.min(least, cost);
    }
    // A merge may still continue from the row before.
    if (least > limit && Math.min(...above) > limit) return Number.POSITIVE_INFINITY;
    before = above;
    above = row;
  }
  const distance = above[b.length] ?? Number.POSITIVE_INFINITY;
  return distance > limit ? Number.POSITIVE_INFINITY : distance;
}

const LOOKALIKE_REPRESENTATIVES: Record<string, string> = {
  "0": "o",
  q: "o",
  "1": "l",
  i: "l",
  "|": "l",
  "!": "l",
  "5": "s",
  "8": "b",
  "2": "z",
};

/** Maps lookalikes to one spelling: texts equal in it are worth a comparison. */
export const foldLookalikes = (text: string): string =>
  text
    .replace(/rn/g, "m")
    .replace(/cl/g, "d")
    .replace(/vv/g, "w")
    .replace(/[0q1i|!582]/g, (char) => LOOKALIKE_REPRESENTATIVES[char] ?? char);

/** Allowed distance by text length, for certain and for doubtful recognition. */
const TOLERANCES: { length: number; certain: number; doubtful: number }[] = [
  { length: 4, certain: 0, doubtful: 0 },
  { length: 8, certain: 0.4, doubtful: 0.8 },
  { length: 16, certain: 0.7, doubtful: 1.6 },
];
const LONG_TEXT_CERTAIN_TOLERANCE = 0.06;
const LONG_TEXT_DOUBTFUL_TOLERANCE = 0.12;
/** Words recognised with less confidence are fully doubtful. */
const FULLY_DOUBTFUL_CONFIDENCE = 0.7;

/**
 * The distance at which a text of that length may still be the same.
 * @param confidence of the least certain word, 0 to 1: lower confidence allows more
 */
export function distanceTolerance(length: number, confidence: number): number {
  const doubt = Math.min(1, (1 - confidence) / (1 - FULLY_DOUBTFUL_CONFIDENCE));
  const step = TOLERANCES.find((limit) => length < limit.length);
  const certain = step?.certain ?? Math.min(3, length * LONG_TEXT_CERTAIN_TOLERANCE);
  const doubtful = step?.doubtful ?? Math.min(6, length * LONG_TEXT_DOUBTFUL_TOLERANCE);
  return certain + (doubtful - certain) * doubt;
}
