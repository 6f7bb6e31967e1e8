/** Index of all dates in a document, by value; ambiguous ones in both orders, and both ends of a range. */

import type { Conventions } from "../extraction/rules/value-reader.ts";
import { type DateOrder, scanDates } from "../values/dates.ts";
import { matchesOf } from "../values/pattern-matches.ts";
import { foldInPlace } from "../values/text-folding.ts";
import { wordsOf } from "../values/vocabulary/languages.ts";
import { anyOf } from "../values/vocabulary/word-patterns.ts";
import {
  lineBreaks,
  type Occurrence,
  occurrenceOf,
  type Passage,
  type PrintedWords,
  passages,
} from "./printed-words.ts";

const CERTAIN_QUALITY = 1;
const AMBIGUOUS_QUALITY = 0.95;
const OTHER_ORDER_QUALITY = 0.7;
const RANGE_QUALITY = 0.9;
const MONTH_ONLY_QUALITY = 0.95;

const TO = `(?:-|${anyOf(wordsOf(({ dates }) => dates.until))})`;
/** A single letter behind a number may be the month's first. */
const ORDINAL = anyOf(wordsOf(({ dates }) => dates.ordinals).filter((ending) => ending.length > 1));
/** `01.03. - 31.03.2018`, `5 - 8 March 2018`: the first date of a range, without its year. */
const BEFORE_DATE = new RegExp(
  `(?<![\\p{L}\\p{N}.,/])(?<d>0?[1-9]|[12]\\d|3[01])(?:(?:${ORDINAL}|[.°º])?(?:\\s?(?<m>[\\p{L}]{3,10})\\.?)?|[./-](?<n>0?[1-9]|1[0-2])[./-]?)\\s*${TO}\\s*$`,
  "u",
);
/** `March 1 - 5, 2018`, `March 1 to April 5, 2018`. */
const MONTH_FIRST_RANGE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<m>\\p{L}{3,10})\\.?\\s(?<d>\\d{1,2})\\s*${TO}\\s*(?<m2>\\p{L}{3,10})?\\.?\\s?(?<d2>\\d{1,2}),?\\s(?<y>(?:19|20)\\d{2})(?!\\p{N})`,
  "gu",
);
const NAMED_MONTH = /(?<![\p{L}\p{N}])(?<m>\p{L}{3,10})\.?,?\s(?:de\s|del\s)?(?<y>(?:19|20)\d{2})(?![\p{L}\p{N}])/gu;
const NUMBERED_MONTH =
  /(?<![\p{L}\p{N}./-])(?:(?<m>0?[1-9]|1[0-2])[./-](?<y>(?:19|20)\d{2})|(?<y2>(?:19|20)\d{2})[./-](?<m2>0[1-9]|1[0-2]))(?![\p{L}\p{N}]|[./-]\d)/gu;

interface DateReading {
  start: number;
  end: number;
  /** `YYYY-MM-DD` or `YYYY-MM`. */
  value: string;
  quality: number;
}

/** Composes a date from its parts, with the month as number or name. @returns null for an invalid date */
function composeDate(day: string, month: string, year: string): string | null {
  const text = /^\d/.test(month) ? `${day}.${month}.${year}` : `${day} ${month} ${year}`;
  const [span] = scanDates(text, "day-first");
  return span?.start === 0 && span.end === text.length ? span.iso : null;
}

const otherOrder = (order: DateOrder): DateOrder => (order === "day-first" ? "month-first" : "day-first");

function readRangeStart(text: string, date: { start: number; end: number; iso: string }): DateReading[] {
  const match = BEFORE_DATE.exec(text.slice(0, date.start));
  const { d, m, n } = match?.groups ?? {};
  if (match === null || d === undefined) return [];
  const value = composeDate(d, n ?? m ?? date.iso.slice(5, 7), date.iso.slice(0, 4));
  return value === null || value > date.iso
    ? []
    : [{ start: match.index, end: date.end, value, quality: RANGE_QUALITY }];
}

function readMonthFirstRanges(text: string): DateReading[] {
  return matchesOf(text, MONTH_FIRST_RANGE).flatMap((match) => {
    const { m = "", d = "", m2, d2 = "", y = "" } = match.groups ?? {};
    const place = { start: match.index, end: match.index + match[0].length, quality: RANGE_QUALITY };
    return [composeDate(d, m, y), composeDate(d2, m2 ?? m, y)].flatMap((value) =>
      value === null ? [] : [{ ...place, value }],
    );
  });
}

function readMonths(text: string): DateReading[] {
  const found: DateReading[] = [];
  for (const match of [...matchesOf(text, NAMED_MONTH), ...matchesOf(text, NUMBERED_MONTH)]) {
    const { m, y, m2, y2 } = match.groups ?? {};
    const value = composeDate("1", m ?? m2 ?? "", y ?? y2 ?? "")?.slice(0, 7);
    if (value !== undefined)
      found.push({ start: match.index, end: match.index + match[0].length, value, quality: MONTH_ONLY_QUALITY });
  }
  return found;
}

function readDates(text: string, order: DateOrder): DateReading[] {
  const folded = foldInPlace(text);
  const dates = scanDates(text, order, true);
  const reads = dates.flatMap((date): DateReading[] => [
    {
      start: date.start,
      end: date.end,
      value: date.iso,
      quality: date.ambiguous ? AMBIGUOUS_QUALITY : CERTAIN_QUALITY,
    },
    ...readRangeStart(folded, date),
  ]);
  if (dates.some((date) => date.ambiguous)) {
    for (const date of scanDates(text, otherOrder(order), true))
      if (date.ambiguous)
        reads.push({ start: date.start, end: date.end, value: date.iso, quality: OTHER_ORDER_QUALITY });
  }
  return [...reads, ...readMonthFirstRanges(folded), ...readMonths(folded)];
}

export class PrintedDates {
  readonly #found = new Map<string, Occurrence[]>();

  constructor(printed: PrintedWords, { order }: Conventions) {
    const add = (passage: Passage, accept: (numbers: readonly number[]) => boolean): void => {
      if (!/\d/.test(passage.text)) return;
      for (const read of readDates(passage.text, order)) {
        const numbers = passage.wordsBetween(read.start, read.end);
        if (numbers.length === 0 || !accept(numbers)) continue;
        const list = this.#found.get(read.value) ?? [];
        list.push(occurrenceOf(printed, numbers, read.quality));
        this.#found.set(read.value, list);
      }
    };
    for (const passage of passages(printed)) add(passage, () => true);
    for (const { passage, first, next } of lineBreaks(printed))
      add(passage, (numbers) => numbers.includes(first) && numbers.includes(next));
    for (const list of this.#found.values()) list.sort((a, b) => a.first - b.first || b.quality - a.quality);
  }

  /** Places of a date. @param value `YYYY-MM-DD` or `YYYY-MM` */
  find(value: string): readonly Occurrence[] {
    return this.#found.get(value) ?? [];
  }
}
