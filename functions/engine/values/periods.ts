/** Periods (`thirty (30) days`, `drei Monate`), times of day (`7:30 a.m.`, `16h05`) and small numbers in words. */
import type { TextSpan } from "./codes.ts";
import { matchesOf } from "./pattern-matches.ts";
import { foldInPlace } from "./text-folding.ts";
import { type TimeUnit, timeUnit } from "./time-units.ts";
import type { LanguageFile } from "./vocabulary/language-file.ts";
import { LANGUAGES } from "./vocabulary/languages.ts";
import { anyFolded } from "./vocabulary/word-patterns.ts";

/** A period; the count is null for numbers in words above twelve. */
export interface PeriodSpan extends TextSpan {
  count: number | null;
  unit: TimeUnit | undefined;
}

const wholeWord = (word: string): RegExp => new RegExp(`^(?:${anyFolded([word])})$`, "u");

/** The numbers from one on, by language. */
const CARDINALS = new Map(
  Object.entries(LANGUAGES).map(([code, { numbers }]) => [code, numbers.cardinals.map(wholeWord)]),
);

/** Number and unit in one language: `to` is a number in Danish. */
const sourceOf = ({ numbers, dates }: LanguageFile): string =>
  `(?:\\d{1,4}|${anyFolded([...numbers.cardinals, ...(numbers.counts ?? [])])})(?: ?\\([\\p{L}\\d-]{1,12}\\))?[ -](?:\\p{L}+ )?(?:${anyFolded(dates.units)})`;

/** Source of an expression for a period in folded text. */
export const PERIOD_SOURCE = `(?<![\\p{L}\\d.,§/-])(?:${Object.values(LANGUAGES).map(sourceOf).join("|")})(?!\\p{L})`;
const PERIOD = new RegExp(PERIOD_SOURCE, "gu");

/** The small number that a folded word of a language says; null for none. @param language ISO 639-1 code */
export function cardinalOf(word: string, language: string): number | null {
  const at = CARDINALS.get(language)?.findIndex((pattern) => pattern.test(word)) ?? -1;
  return at < 0 ? null : at + 1;
}

/** The small number that a folded word says in any language; null for none. */
function spokenIn(word: string): number | null {
  for (const language of CARDINALS.keys()) {
    const value = cardinalOf(word, language);
    if (value !== null) return value;
  }
  return null;
}

/** Every period in a text, left to right. */
export function scanPeriods(text: string): PeriodSpan[] {
  return matchesOf(foldInPlace(text), PERIOD).map((match) => {
    const end = match.index + match[0].length;
    const words = match[0].split(/[ -]/);
    const [, digits] = /(\d+)/.exec(match[0]) ?? [];
    return {
      ...{ start: match.index, end, text: text.slice(match.index, end) },
      count: digits === undefined ? spokenIn(words[0] ?? "") : Number(digits),
      // `dias úteis`: the unit stands before the kind of its days.
      unit: words.map(timeUnit).findLast((unit) => unit !== undefined),
    };
  });
}

const HOUR = "(?:[01]?\\d|2[0-3])";
const TIME = new RegExp(
  `(?<![\\d.,:/-])(?:${HOUR}(?::[0-5]\\d(?::[0-5]\\d)?(?:\\s?[ap]\\.?m\\.?)?|\\s?h\\s?[0-5]\\d|\\s?h|\\s?[ap]\\.?m\\.?))(?![\\d:\\p{L}])`,
  "giu",
);

/** Every time of day in a text, left to right. */
export const scanTimes = (text: string): TextSpan[] =>
  matchesOf(text, TIME).map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
