/** Dates as documents print them, to ISO 8601 calendar dates (`YYYY-MM-DD`). */
import { countriesIn } from "./countries.ts";
import { matchesOf } from "./pattern-matches.ts";
import { foldInPlace, foldText } from "./text-folding.ts";
import { wordsOf } from "./vocabulary/languages.ts";

/** The order of two small numbers in an all-numeric date. */
export type DateOrder = "day-first" | "month-first";

export interface DateSpan {
  /** Positions in the scanned text. */
  start: number;
  end: number;
  /** `YYYY-MM-DD`. */
  iso: string;
  /** True when only the document's order told day from month. */
  ambiguous: boolean;
}

/** Month names and abbreviations, folded. */
const MONTH_NUMBER = new Map(
  Array.from({ length: 12 }, (_, index) => wordsOf(({ dates }) => dates.months?.[index])).flatMap((names, index) =>
    names.map((name) => [foldText(name), index + 1] as const),
  ),
);
/** Longest first, so that `mars` is not read as `mar`. */
const MONTH = [...MONTH_NUMBER.keys()].sort((a, b) => b.length - a.length).join("|");

/** With those of the Buddhist era that Thai programs print; two digits before a colon are an hour. */
const FOUR_DIGITS = "(?:19|20|25(?=[5-9]))\\d{2}";
const FULL_YEAR = `(?<y>${FOUR_DIGITS})`;
const YEAR = `(?<y>${FOUR_DIGITS}|'?\\d{2}(?!:\\d))`;
const DAY = "(?<d>0?[1-9]|[12]\\d|3[01])";
/** Superscripts stand apart: `8 th`. */
const ORDINAL = `(?:\\s?(?:${wordsOf(({ dates }) => dates.ordinals).join("|")})(?!\\p{L})|\\.|º|°)?`;
const OF = `(?:\\s*(?:${wordsOf(({ dates }) => dates.of).join("|")})\\b)?`;
const GAP = "[\\s.,/-]*";
const BEGIN = "(?<![\\p{L}\\p{N}])(?<![\\d][.,/:-])";
/** A time may follow: `21.01.22-18:27`. */
const END = "(?![\\p{L}\\p{N}])(?![./-]\\d(?!\\d?:\\d{2}))(?!\\s?,\\s?(?:19|20)\\d{2})";

/** In order of certainty; earlier forms win where two overlap. Applied to folded text of equal length. */
const FORMS: RegExp[] = [
  // 2018-03-05, 2018/3/5, 2018.03.05, with a time perhaps
  new RegExp(`${BEGIN}${FULL_YEAR}(?<s>[-./])(?<m>0?[1-9]|1[0-2])\\k<s>${DAY}(?=t\\d|${END})`, "gu"),
  // 2018. 03. 05., 2018年3月5日, 2018 年 3 月 5 日
  new RegExp(
    `${BEGIN}${FULL_YEAR}(?:\\. ?| ?年 ?)(?<m>0?[1-9]|1[0-2])(?:\\. ?| ?月 ?)${DAY}(?:\\.(?!\\d)| ?日|${END})`,
    "gu",
  ),
  // 5 March 2018, 5. März 2018, 5th of March, 2018, 05-MAR-18, 5 de marzo de 2018, 1er janvier 2020
  new RegExp(`${BEGIN}${DAY}${ORDINAL}${OF}${GAP}(?<n>${MONTH})(?!\\p{L})${OF}${GAP}${YEAR}${END}`, "gu"),
  // March 5, 2018, Mar. 5th 2018, Mar-05-2018
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?<n>${MONTH})(?!\\p{L})${GAP}${DAY}${ORDINAL}(?:\\s*,\\s*|[\\s.,/-]+)${YEAR}${END}`,
    "gu",
  ),
  // Jan 29 13:24:15 2018, Jan 29 13:24:15 COT 2018
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?<n>${MONTH})\\s+${DAY}\\s+\\d{1,2}:\\d{2}(?::\\d{2})?\\s+(?:[a-z]{2,5}\\s+)?${FULL_YEAR}${END}`,
    "gu",
  ),
  // 2018 March 5, 2018-Mar-05
  new RegExp(`${BEGIN}${FULL_YEAR}${GAP}(?<n>${MONTH})(?!\\p{L})${GAP}${DAY}${ORDINAL}${END}`, "gu"),
  // 05.03.2018, 5/3/18, 05-03-2018, 5. 3. 2018
  new RegExp(`${BEGIN}(?<a>\\d{1,2})\\s?(?<s>[./-])\\s?(?<b>\\d{1,2})\\s?\\k<s>\\s?${YEAR}${END}`, "gu"),
];

/** 20180305 and 05032018 stand as dates only where a label says so. */
const COMPACT =
  /(?<![\p{L}\p{N}.,/-])(?:(?<y>(?:19|20)\d{2})(?<m>0[1-9]|1[0-2])(?<d>0[1-9]|[12]\d|3[01]))(?![\p{L}\p{N}])/gu;

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** @returns `YYYY-MM-DD`, or null for a day that no calendar has */
function isoDate(year: number, month: number, day: number): string | null {
  if (Number.isNaN(year) || month < 1 || month > 12 || day < 1 || day > (DAYS_IN_MONTH[month - 1] ?? 0)) return null;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2 && day === 29 && !leap) return null;
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Years from the beginning of the Buddhist era to that of the common one; Thai programs print the former. */
const BUDDHIST_ERA = 543;
const FIRST_BUDDHIST_YEAR = 2550;

/**
 * Two-digit years: 00 to 49 are this century, 70 to 99 the last one. Those between are years of birth, of the Buddhist
 * era, or to come: NaN.
 */
function fullYear(text: string): number {
  const digits = text.replace("'", "");
  const year = Number(digits);
  if (digits.length > 2) return year < FIRST_BUDDHIST_YEAR ? year : year - BUDDHIST_ERA;
  return year < 50 ? 2000 + year : year < 70 ? Number.NaN : 1900 + year;
}

function numericDate(
  groups: Record<string, string | undefined>,
  order: DateOrder,
): Omit<DateSpan, "start" | "end"> | null {
  const a = Number(groups.a);
  const b = Number(groups.b);
  const year = fullYear(groups.y ?? "");
  // Points are written day first everywhere, and so is the Buddhist era.
  const isDayFirst = a > 12 || groups.s === "." || Number(groups.y) >= FIRST_BUDDHIST_YEAR;
  const settled: DateOrder | null = isDayFirst ? "day-first" : b > 12 ? "month-first" : null;
  const [day, month] = (settled ?? order) === "day-first" ? [a, b] : [b, a];
  const iso = isoDate(year, month, day);
  return iso === null ? null : { iso, ambiguous: settled === null && a !== b };
}

function readMatch(match: RegExpExecArray, order: DateOrder): DateSpan | null {
  const groups = match.groups ?? {};
  const start = match.index;
  const end = start + match[0].length;
  if (groups.a !== undefined) {
    const date = numericDate(groups, order);
    return date === null ? null : { start, end, ...date };
  }
  const month = groups.n === undefined ? Number(groups.m) : (MONTH_NUMBER.get(groups.n) ?? 0);
  const iso = isoDate(fullYear(groups.y ?? ""), month, Number(groups.d));
  return iso === null ? null : { start, end, iso, ambiguous: false };
}

/**
 * Every date in a line of text, left to right, without overlaps.
 * @param order what an ambiguous all-numeric date means in this document
 * @param compact also reads `20180305`
 */
export function scanDates(text: string, order: DateOrder, compact = false): DateSpan[] {
  if (!/\d/.test(text)) return [];
  const folded = foldInPlace(text);
  const spans: DateSpan[] = [];
  for (const form of compact ? [...FORMS, COMPACT] : FORMS) {
    for (const match of matchesOf(folded, form)) {
      const span = readMatch(match, order);
      if (span === null || spans.some((other) => other.start < span.end && span.start < other.end)) continue;
      spans.push(span);
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** The one date that a text is, a time behind it allowed. @returns `YYYY-MM-DD` or null */
export function parseDate(text: string, order: DateOrder): string | null {
  const trimmed = text.trim();
  const [span] = scanDates(trimmed, order, true);
  if (span === undefined || span.start > 0) return null;
  return /^(?:[T,\s]*\d{1,2}:\d{2}.*)?$/.test(trimmed.slice(span.end)) ? span.iso : null;
}

/** Lines that are read for countries: addresses stand on the first pages. */
const MAX_COUNTRY_LINES = 500;

/**
 * Day first or month first: by the document's dates that only one order can read, else by its language, countries and
 * currency.
 * @param language ISO 639-1 code or null @param currencies ISO codes printed in the document
 * @returns null where nothing in the document tells
 */
export function toldDateOrder(
  lines: readonly string[],
  language: string | null,
  currencies: ReadonlySet<string>,
): DateOrder | null {
  let [dates, dayFirst, monthFirst] = [0, 0, 0];
  for (const line of lines) {
    if (!/\d[/-]/.test(line)) continue;
    for (const match of line.matchAll(/(?<!\d[./-]?)(\d{1,2})([/-])(\d{1,2})\2(?:(?:19|20)?\d{2})(?![\d/-])/g)) {
      dates += 1;
      if (Number(match[1]) > 12 && Number(match[3]) <= 12) dayFirst += 1;
      if (Number(match[3]) > 12 && Number(match[1]) <= 12) monthFirst += 1;
    }
  }
  if (dayFirst !== monthFirst) return dayFirst > monthFirst ? "day-first" : "month-first";
  if (language !== "en" && language !== null) return "day-first";
  const countries = dates === 0 ? new Set<string>() : countriesIn(lines.slice(0, MAX_COUNTRY_LINES));
  // Canada writes both.
  if (countries.size > 0 && !countries.has("CA")) return countries.has("US") ? "month-first" : "day-first";
  const european = ["EUR", "GBP", "CHF", "AUD", "NZD", "SEK", "NOK", "DKK", "INR"].some((code) => currencies.has(code));
  if (currencies.has("USD")) return "month-first";
  return european ? "day-first" : null;
}

/** The order where nothing tells: English is taken for that of the United States. */
export const usualDateOrder = (language: string | null): DateOrder => (language === "en" ? "month-first" : "day-first");

/** The told order, or else the usual one. */
export const decideDateOrder = (
  lines: readonly string[],
  language: string | null,
  currencies: ReadonlySet<string>,
): DateOrder => toldDateOrder(lines, language, currencies) ?? usualDateOrder(language);
