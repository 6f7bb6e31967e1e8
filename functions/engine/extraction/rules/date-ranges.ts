/** First and last day of what a sentence dates from one day to another: `du 3 au 12 mai 2024`, `1.9.2024 – 31.8.2025`. */
import type { Field } from "../../schema/schema-shape.ts";
import { scanDates } from "../../values/dates.ts";
import { oncePer } from "../../values/lazily.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Meaning } from "./field-meaning.ts";
import type { Finding } from "./findings.ts";
import { titleOf } from "./front-page.ts";
import { sentencesIn, streamOf, tokensIn } from "./prose-stream.ts";
import { isAmong, questionOf, stemsOf } from "./told-values.ts";

const UNTIL = `(?:[–—-]|${anyOf(wordsOf(({ dates }) => dates.until))})`;
/** Between two dates stand a word or a dash, and perhaps the time of the first one. */
const BETWEEN = new RegExp(
  `^[.,]?\\s?(?:\\d{1,2}[:.h]\\d{2}\\s)?(?:\\p{L}{1,5}\\s)?${UNTIL}\\s(?:\\p{L}{1,5}\\s)?$|^\\s?[–—-]\\s?$`,
  "iu",
);
/** The first day without its month: `17 au`. */
const DAY_BEFORE = new RegExp(
  `(?<![\\d.,:/-])(?<day>\\d{1,2})(?:\\.|er|º|°)?\\s(?:\\p{L}{1,5}\\s)?${UNTIL}\\s(?:\\p{L}{1,5}\\s)?$`,
  "iu",
);

interface Day {
  iso: string;
  start: number;
  end: number;
}

interface DateRange {
  first: Day;
  last: Day;
  /** Stems of the sentence's words. */
  words: string[];
}

const rangesIn = oncePer((context: DocumentContext): DateRange[] =>
  sentencesIn(context).flatMap(({ text, start: from }): DateRange[] => {
    const dates = scanDates(text, context.conventions.order);
    if (dates.length === 0) return [];
    const words = stemsOf([text]);
    return dates.flatMap((date, at): DateRange[] => {
      const last = { iso: date.iso, start: from + date.start, end: from + date.end };
      const before = dates[at - 1];
      if (before !== undefined && BETWEEN.test(text.slice(before.end, date.start)) && before.iso < date.iso)
        return [{ first: { iso: before.iso, start: from + before.start, end: from + before.end }, last, words }];
      const match = DAY_BEFORE.exec(text.slice(0, date.start));
      const day = Number(match?.groups?.day);
      if (match === null || day < 1 || day >= Number(date.iso.slice(-2))) return [];
      const iso = `${date.iso.slice(0, -2)}${String(day).padStart(2, "0")}`;
      return [{ first: { iso, start: from + match.index, end: last.end }, last, words }];
    });
  }),
);

const EDGES = {
  first: stemsOf(wordsOf(({ answers }) => answers.first)),
  last: stemsOf(wordsOf(({ answers }) => answers.last)),
};

const RANGE_CONFIDENCE = 0.65;

/** The first or last day of the range whose sentence has most words of the question. @returns null where ranges differ */
export function dayOfRange(field: Field, meaning: Meaning, context: DocumentContext): Finding | null {
  if (field.format !== "date" || context.isBill()) return null;
  const { all } = questionOf(field, meaning);
  const asked = (["first", "last"] as const).filter((edge) => all.some((word) => isAmong(word, EDGES[edge])));
  const [edge] = asked;
  if (edge === undefined || asked.length > 1) return null;
  // Words of the title tell no sentence from another.
  const title = stemsOf([String(titleOf(context)?.value ?? "")]);
  const rest = all.filter((word) => !isAmong(word, EDGES[edge]) && !isAmong(word, title));
  const scored = rangesIn(context).map((range) => ({
    range,
    score: rest.filter((word) => isAmong(word, range.words)).length,
  }));
  const most = Math.max(0, ...scored.map(({ score }) => score));
  const best = scored.filter(({ score }) => score === most).map(({ range }) => range[edge]);
  const [first] = best;
  if (first === undefined || most === 0 || best.some(({ iso }) => iso !== first.iso)) return null;
  return {
    value: first.iso,
    tokens: tokensIn(streamOf(context), first.start, first.end),
    confidence: RANGE_CONFIDENCE,
  };
}
