import type { Json } from "../json.ts";

export type Scalar = null | boolean | number | string;

export const isScalar = (value: Json): value is Scalar => value === null || typeof value !== "object";

/** Null, or a text of white space only. */
export const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

const collapseSpaces = (text: string): string => text.trim().replace(/\s+/gu, " ");

/** The same type and value; line breaks in a text do not count. */
export function isExact(a: Scalar, b: Scalar): boolean {
  return typeof a === "string" && typeof b === "string"
    ? collapseSpaces(a.normalize("NFC")) === collapseSpaces(b.normalize("NFC"))
    : a === b;
}

/** Relative error of numbers after conversion to binary and back. */
const RELATIVE_ROUNDING_ERROR = 1e-9;

/** A number, or a text that is a number with a decimal point. */
export function numberIn(value: Scalar): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/iu.test(value)) return undefined;
  return Number(value);
}

/**
 * @param relative tolerance as a share of the expected number @param absolute tolerance in its own unit; either is
 * enough
 */
export function isNear(expected: number, got: number, { absolute = 0, relative = 0 } = {}): boolean {
  const most = Math.max(absolute, Math.max(relative, RELATIVE_ROUNDING_ERROR) * Math.abs(expected));
  return Math.abs(expected - got) <= most * (1 + RELATIVE_ROUNDING_ERROR);
}

/**
 * Removes differences of case, width, kinds of dashes and quotes, punctuation at the ends, and the encoding of accents.
 */
export function normalise(text: string): string {
  const folded = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212]/gu, "-")
    .replace(/[\u2018\u2019\u201a\u201b`´]/gu, "'")
    .replace(/[\u201c-\u201f«»]/gu, '"')
    .replace(/\u00ad/gu, "");
  const bare = collapseSpaces(folded.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, ""));
  return bare === "" ? collapseSpaces(folded) : bare;
}

/** Equal apart from notation: `12.50` is 12.5, `ACME Ltd.` is `Acme Ltd`, `true` is true. */
export function isNormalised(a: Scalar, b: Scalar): boolean {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  const [x, y] = [numberIn(a), numberIn(b)];
  // Two texts of digits are identifiers: 007 is not 7.
  if (x !== undefined && y !== undefined && (typeof a === "number" || typeof b === "number")) return isNear(x, y);
  return normalise(String(a)) === normalise(String(b));
}

/** Longer texts are compared word by word. */
const MAX_EDIT_DISTANCE_CHARACTERS = 1000;

/** The edit distance of two texts (V. Levenshtein, 1965), row by row. */
function editDistance(a: readonly string[], b: readonly string[]): number {
  let row = Uint32Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of a.entries()) {
    const next = new Uint32Array(b.length + 1);
    next[0] = i + 1;
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1);
      next[j] = Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The share of common words (L. Dice, 1945), with multiplicity. */
function wordOverlap(a: string, b: string): number {
  const [left, right] = [a.split(" "), b.split(" ")];
  const counts = new Map<string, number>();
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of right) {
    const count = counts.get(word) ?? 0;
    if (count > 0) common += 1;
    counts.set(word, count - 1);
  }
  return (2 * common) / (left.length + right.length);
}

/** The similarity of two values, 0 to 1: the share of letters that need no edit once both are normalised. */
export function similarity(a: Scalar, b: Scalar): number {
  if (isNormalised(a, b)) return 1;
  if (isEmpty(a) || isEmpty(b)) return 0;
  const [x, y] = [normalise(String(a)), normalise(String(b))];
  if (Math.max(x.length, y.length) > MAX_EDIT_DISTANCE_CHARACTERS) return wordOverlap(x, y);
  const [letters, others] = [[...x], [...y]];
  return 1 - editDistance(letters, others) / Math.max(letters.length, others.length, 1);
}

/** The order of day and month in numeric dates. */
export type DateOrder = "dmy" | "mdy";

/** A day as `yyyy-mm-dd`; undefined for other texts, and for an ambiguous date without an order. */
export function dayOf(value: Scalar, order?: DateOrder): string | undefined {
  const text = String(value).trim();
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/u.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/u.exec(text);
  const other = iso === null ? /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/u.exec(text) : null;
  let [year, month, day] = [Number(iso?.[1]), Number(iso?.[2]), Number(iso?.[3])];
  if (other !== null) {
    const [first, second] = [Number(other[1]), Number(other[3])];
    const certain = other[2] === "." || first > 12 ? "dmy" : second > 12 ? "mdy" : order;
    if (certain === undefined && first !== second) return undefined;
    year = Number(other[4]);
    [day, month] = certain === "mdy" ? [second, first] : [first, second];
  }
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
}
