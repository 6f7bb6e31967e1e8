/**
 * Numbers as documents print them: European (1.234,56 · 1 234,56), US (1,234.56), Swiss (1'234.56), with signs before
 * or behind, parentheses for negatives, and a currency on either side.
 */
import { CURRENCY_MARK, currencyOf } from "./currencies.ts";
import { matchesOf } from "./pattern-matches.ts";

/** The character before the decimals in a document. */
export type Notation = "comma" | "point";

export interface NumberSpan {
  /** Positions in the scanned text, sign and currency included. */
  start: number;
  end: number;
  value: number;
  /** Digits after the decimal mark. */
  decimals: number;
  /** ISO 4217 code or a bare symbol's code, when one stands beside the number. */
  currency: string | null;
  percent: boolean;
}

/** The digits with their separators; what the separators mean is settled afterwards. */
const DIGITS = "\\d{1,3}(?:[ \\u00a0\\u202f\\u2009]\\d{3})+(?:[.,]\\d{1,4})?(?![\\d])|\\d+(?:[.,'’]\\d+)*";
const SPACES = /[\s\u00a0\u202f\u2009'’]/g;
const SIGN = "[-−–+]";
const CURRENCY = `(?:${CURRENCY_MARK})`;

const SPAN = new RegExp(
  `(?<open>\\()?\\s?(?<sign1>${SIGN})?\\s?(?:(?<!\\p{L})(?<cur1>${CURRENCY}))?\\s?(?<sign2>${SIGN})?\\s?(?<digits>${DIGITS})(?<dash>[.,][-–—]{1,2})?` +
    `(?<sign3>[-−](?!\\d))?(?<percent>\\s?%)?(?:\\s?(?<cur2>${CURRENCY})(?![\\p{L}\\d]))?(?<close>\\s?\\))?`,
  "gu",
);

/**
 * Reads bare digits with separators. A single separator before exactly three digits is the one ambiguous case: it is
 * the decimal mark only if `notation` says so.
 * @returns null when the separators fit no notation (`1.23.4`)
 */
function readDigits(digits: string, notation: Notation): { value: number; decimals: number } | null {
  const plain = digits.replace(SPACES, "");
  const marks: readonly string[] = plain.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return toNumber(plain, "");
  const at = plain.lastIndexOf(last);
  const tail = plain.slice(at + 1);
  const head = plain.slice(0, at);
  const mixed = marks.some((mark) => mark !== last);
  if (mixed) return isGrouped(head, last === "," ? "." : ",") ? toNumber(head, tail) : null;
  if (marks.length > 1) return isGrouped(plain, last) ? toNumber(plain, "") : null;
  const grouped = tail.length === 3 && /^[1-9]\d{0,2}$/.test(head) && digits.replace(SPACES, "") === digits;
  if (grouped && last !== (notation === "comma" ? "," : ".")) return toNumber(plain, "");
  return toNumber(head, tail);
}

function isGrouped(text: string, mark: string): boolean {
  const [first, ...rest] = text.split(mark);
  if (first === undefined || first.length === 0 || first.length > 3) return false;
  return rest.every((group) => group.length === 3);
}

function toNumber(whole: string, decimals: string): { value: number; decimals: number } | null {
  const value = Number(`${whole.replace(/[.,]/g, "")}.${decimals || "0"}`);
  return Number.isFinite(value) ? { value, decimals: decimals.length } : null;
}

/** A number must not be part of a code, a date, a time or a longer number. */
function standsAlone(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  const after = text.slice(end, end + 2);
  if (/[\p{L}\p{N}_#@§]$/u.test(before) || /[\d\p{L}][./:\-–'’]$/u.test(before) || /[/\\]$/.test(before)) return false;
  return !/^(?:[\p{L}\p{N}_@/\\]|[.:'’\-–][\p{L}\d])/u.test(after);
}

/** Every number in a line of text, left to right. */
export function scanNumbers(text: string, notation: Notation): NumberSpan[] {
  const spans: NumberSpan[] = [];
  // The pattern may begin anywhere: most text has no number in it.
  if (!/\d/.test(text)) return spans;
  for (const match of matchesOf(text, SPAN)) {
    const groups = match.groups ?? {};
    const digits = groups.digits ?? "";
    const lead = match[0].length - match[0].trimStart().length;
    // `1.000,-` shows its decimal mark before the dash.
    const read = readDigits(digits, groups.dash === undefined ? notation : groups.dash[0] === "," ? "comma" : "point");
    if (read === null) continue;
    let start = match.index + lead;
    const end = match.index + match[0].trimEnd().length;
    // `A-12`, `2018-03`: the dash belongs to the word before it, and then so does the number.
    if (!standsAlone(text, start, end)) {
      const digitsAt = text.indexOf(digits, match.index);
      const signed = groups.sign1 !== undefined || groups.sign2 !== undefined;
      if (signed || groups.open !== undefined || !standsAlone(text, digitsAt, end)) continue;
      start = digitsAt;
    }
    const negative =
      [groups.sign1, groups.sign2, groups.sign3].some((sign) => sign !== undefined && sign !== "+") ||
      // `Present (7):` counts; an amount in brackets is less than zero.
      (groups.open !== undefined && groups.close !== undefined && text[end] !== ":");
    spans.push({
      start,
      end,
      value: negative && read.value !== 0 ? -read.value : read.value,
      decimals: read.decimals,
      currency: currencyOf(groups.cur1 ?? groups.cur2 ?? ""),
      percent: groups.percent !== undefined,
    });
  }
  return spans;
}

/** The one number that a text is, currency and sign allowed. @returns null when it is anything else */
export function parseNumber(text: string, notation: Notation): number | null {
  const trimmed = text.trim();
  const [span, another] = scanNumbers(trimmed, notation);
  if (span === undefined || another !== undefined) return null;
  return span.start === 0 && span.end === trimmed.length ? span.value : null;
}

/** Decimal marks that leave no doubt: both separators, or one before one, two or four digits at the end. */
const CERTAIN =
  /(?<![\d.,/:\-–])\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3})*(?:([.,])(?:\d{2}|\d|\d{4}))(?![\d.,/:]|[-–]\d)/gu;

/** No group of thousands follows a zero: `0.600` has three decimals, as amounts of dinars and weights do. */
const BELOW_ONE = /(?<![\d.,/:\-–])0([.,])\d{3}(?![\d.,/:]|[-–]\d)/gu;

/** A line that ends in a number with one group of thousands. */
const GROUPED = /(?<![\d.,/:])\d{1,3}([.,])\d{3}\)?\s*$/u;
const MIN_GROUPED_LINES = 3;

/**
 * The notation of a document, by a vote of its certain numbers; amounts with two decimals count three times.
 * @param fallback what to assume without a vote, from the document's language
 */
export function decideNotation(lines: Iterable<string>, fallback: Notation): Notation {
  let comma = 0;
  let point = 0;
  const groups = { comma: 0, point: 0 };
  for (const line of lines) {
    const [, mark] = GROUPED.exec(line) ?? [];
    if (mark !== undefined) groups[mark === "," ? "comma" : "point"] += 1;
    for (const [, decimal] of matchesOf(line, BELOW_ONE)) {
      if (decimal === ",") comma += 1;
      else point += 1;
    }
    for (const match of matchesOf(line, CERTAIN)) {
      const two = /[.,]\d{2}$/.test(match[0]) ? 3 : 1;
      // A group mark like the decimal mark would be a date or a version (1.234.56).
      if (match[1] === match[2]) continue;
      const weight = match[1] === "." || match[1] === "," ? 6 : two;
      if (match[2] === ",") comma += weight;
      else point += weight;
    }
  }
  // Without decimals anywhere, repeated threes of digits are thousands: `49.000`, `53.500`.
  if (comma === point && comma === 0 && groups.comma + groups.point >= MIN_GROUPED_LINES)
    return groups.comma > groups.point ? "point" : "comma";
  if (comma === point) return fallback;
  return comma > point ? "comma" : "point";
}
