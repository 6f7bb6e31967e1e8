/** The question that a property asks, by its words, and the values of its kind in a sentence. */
import type { Field } from "../../schema/schema-shape.ts";
import { scanEmails, scanPhones, scanUrls, type TextSpan } from "../../values/codes.ts";
import { currencyOf, namedCurrencies } from "../../values/currencies.ts";
import { scanDates } from "../../values/dates.ts";
import { type NumberSpan, scanNumbers } from "../../values/numbers.ts";
import { cardinalOf, scanPeriods, scanTimes } from "../../values/periods.ts";
import { stem } from "../../values/stems.ts";
import { foldText, splitName } from "../../values/text-folding.ts";
import { type TimeUnit, timeUnit } from "../../values/time-units.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyFolded } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "./document-context.ts";
import { kindOfWord, type Meaning } from "./field-meaning.ts";
import { asksForCurrency, wantsIso } from "./value-reader.ts";

/** Words, folded, with umlauts in one spelling. */
export const wordsIn = (text: string): string[] =>
  foldText(text)
    .replace(/([aou])e/g, "$1")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** Words that say what kind of value is asked for, or join others: they are in any sentence. */
const EMPTY_WORDS = new Set(
  wordsOf(({ grammar, properties, labels, answers }) =>
    [
      grammar.stopWords,
      grammar.articles,
      grammar.prepositions,
      grammar.emptyWords,
      grammar.measures,
      properties.vague,
      labels.numberWords,
      answers.date,
    ].flatMap((words) => words ?? []),
  ).flatMap(wordsIn),
);

const DATE_WORDS = new Set(wordsOf(({ answers }) => answers.date).flatMap(wordsIn));

/** The kind's part of a compound: `Austrittsfrist` is a period for the `Austritt`. */
const KIND_ENDING = new RegExp(
  `(?:${anyFolded(
    wordsOf(({ answers }) => [...(answers.period ?? []), ...(answers.time ?? [])])
      .filter((one) => one.startsWith("*"))
      .map((one) => one.slice(1)),
  )})$`,
  "u",
);
/** Letters from which a word may stand for its inflection, and for the share of the longer word that both have. */
const MIN_SHARED_LETTERS = 5;
const MIN_SHARED_SHARE = 0.6;

export interface Question {
  /** Stems of the name's words, and of those of name, title and description. */
  name: string[];
  all: string[];
  /** Words of a compound without its kind, by the compound's stem. */
  bare: Map<string, string>;
  /** The unit of time that the value is asked in. */
  unit: TimeUnit | undefined;
  /** A year is part of the name: `expenses_2017`. */
  years: string[];
  /** The name says that it is a date, perhaps the document's own: `report_date`. */
  isDate: boolean;
}

export function questionOf(field: Field, meaning: Meaning): Question {
  const { name, title, description } = field;
  const named = splitName(name).flatMap(wordsIn);
  const described = wordsIn(
    `${title} ${description}`.replace(/\b[A-Z]{3}\b/g, (code) => (currencyOf(code) === null ? code : "")),
  );
  const isKind = (word: string): boolean => kindOfWord(word) !== null && kindOfWord(word) === meaning.value;
  const bareOf = (word: string): string => (isKind(word) ? word.replace(KIND_ENDING, "") : word);
  const isContent = (word: string): boolean =>
    bareOf(word).length > 2 &&
    !EMPTY_WORDS.has(word) &&
    timeUnit(word) === undefined &&
    namedCurrencies(word).length === 0 &&
    !/^\d+$/.test(word);
  const unit = [...named, ...described].map(timeUnit).find((one) => one !== undefined);
  const stems = named.filter((word) => isContent(word) && (!isKind(word) || bareOf(word) !== word)).map(stem);
  const all = [...new Set([...stems, ...described.filter((word) => isContent(word) && !isKind(word)).map(stem)])];
  return {
    ...{ name: stems, all, unit },
    bare: new Map(
      named
        .filter((word) => isKind(word) && bareOf(word).length >= MIN_SHARED_LETTERS)
        .map((word) => [stem(word), stem(bareOf(word))]),
    ),
    years: named.filter((word) => /^(?:19|20)\d\d$/.test(word)),
    isDate: named.some((word) => DATE_WORDS.has(word)),
  };
}

/** Equal stems, or one that goes on: `renew` and `renewal`. */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= MIN_SHARED_LETTERS && short.length >= MIN_SHARED_SHARE * long.length && long.startsWith(short);
}

/** The stems of words and phrases. */
export const stemsOf = (texts: readonly string[]): string[] => texts.flatMap(wordsIn).map(stem);

/** A stem is one of others, or goes on or ends before one. */
export const isAmong = (word: string, stems: readonly string[]): boolean => stems.some((one) => isSameWord(one, word));

/** A stem among others, or the compound's without its kind. */
export const hasWord = (stems: readonly string[], word: string, { bare }: Question): boolean =>
  stems.some((one) => isSameWord(one, word) || isSameWord(one, bare.get(word) ?? word));

/** A value in a sentence, with its place there. */
export interface Told {
  value: string | number;
  start: number;
  end: number;
}

const scaleOf = (words: readonly string[]): RegExp => new RegExp(`^\\s?(?:${anyFolded(words)})(?!\\p{L})`, "u");
const SCALES = [
  [scaleOf(wordsOf(({ numbers }) => (numbers.million ?? []).filter((word) => word.length > 2))), 1e6],
  [scaleOf(wordsOf(({ numbers }) => (numbers.billion ?? []).filter((word) => word.length > 2))), 1e9],
] as const;

/** Behind a word, brackets repeat a number and make none negative: `eighty percent (80%)`. */
const numbersIn = (text: string, { conventions }: DocumentContext): NumberSpan[] =>
  scanNumbers(text, conventions.notation).map((span) =>
    /\p{L}\s?\($/u.test(text.slice(0, span.start + 1)) ? { ...span, value: Math.abs(span.value) } : span,
  );

/** Amounts with a currency, or else rates; `EUR 3.2 million` is in units. */
function figuresIn(text: string, field: Field, context: DocumentContext): Told[] {
  const spans = numbersIn(text, context);
  const amounts = spans.filter(({ currency }) => currency !== null);
  const rates = asksForCurrency(field) ? [] : spans.filter(({ percent }) => percent);
  if (amounts.length > 0 && rates.length > 0) return [];
  return [...amounts, ...rates].map(({ value, start, end }) => {
    const scale = SCALES.find(([pattern]) => pattern.test(foldText(text.slice(end, end + 20))));
    const asked = wordsIn(`${splitName(field.name).join(" ")} ${field.description}`);
    const isScaled = scale !== undefined && !asked.some((word) => scale[0].test(word));
    return { value: isScaled ? Number((value * scale[1]).toPrecision(12)) : value, start, end };
  });
}

/** Words that may stand between a count and what is counted. */
const MAX_WORDS_TO_COUNTED = 1;
/** From two on, numbers in words count: one is an article in many languages. */
const MIN_SPOKEN_COUNT = 2;

/** A paragraph's sign before a number, or another number of a span: `6 to 8 minutes` states none of the two alone. */
const NO_COUNT_BEFORE = /(?:§|\d\s?(?:\p{L}{1,5}|[-–])?)\s?$/u;

/** `2) a letter of two members`: the number of an item in a list. */
const isItemNumber = (text: string, { start, end }: NumberSpan): boolean =>
  /^\W*$/.test(text.slice(0, start)) && /[.)]/.test(text.slice(end - 1, end + 1));

const isYear = (text: string): boolean => /^(?:19|20)\d\d$/.test(text.trim());

/** Whole numbers from zero on, in digits and in words. */
function wholeNumbers(text: string, context: DocumentContext): Told[] {
  const isWhole = (span: NumberSpan): boolean => {
    const { value, start, end, decimals, currency, percent } = span;
    return (
      decimals === 0 &&
      currency === null &&
      !percent &&
      value >= 0 &&
      !isYear(text.slice(start, end)) &&
      !NO_COUNT_BEFORE.test(text.slice(0, start)) &&
      !isItemNumber(text, span)
    );
  };
  const spoken = [...text.matchAll(/\p{L}+/gu)].flatMap((match) => {
    const value = cardinalOf(foldText(match[0]), context.conventions.language ?? "");
    return value === null || value < MIN_SPOKEN_COUNT
      ? []
      : [{ value, start: match.index, end: match.index + match[0].length }];
  });
  return [...numbersIn(text, context).filter(isWhole), ...spoken];
}

/** Whole numbers right before a word of the question: `232,822 new jobs`. */
const countsIn = (text: string, { all }: Question, context: DocumentContext): Told[] =>
  wholeNumbers(text, context).filter(({ end }) => {
    const behind = wordsIn(/^[^.;:)]{0,80}/.exec(text.slice(end))?.[0] ?? "").map(stem);
    return behind.slice(0, 1 + MAX_WORDS_TO_COUNTED).some((word) => all.some((one) => isSameWord(word, one)));
  });

/** Numbers right before the unit that ends the property's name or what describes it: `length_km`, `Time in minutes`. */
function measuresIn(text: string, field: Field, context: DocumentContext): Told[] {
  const named = [splitName(field.name).join(" "), field.title, field.description];
  const units = named.flatMap((words) => wordsIn(words).slice(-1)).map(stem);
  return numbersIn(text, context)
    .filter(({ currency, percent, start, end }) => {
      const [unit = ""] = wordsIn(/^[\s-]?\p{L}+/u.exec(text.slice(end))?.[0] ?? "").map(stem);
      return currency === null && !percent && !NO_COUNT_BEFORE.test(text.slice(0, start)) && units.includes(unit);
    })
    .map(({ value, start, end }) => ({ value, start, end }));
}

/** Kinds that their form identifies; a sentence tells which of several is meant. */
const SHAPES: Partial<Record<string, (text: string) => TextSpan[]>> = {
  email: scanEmails,
  url: scanUrls,
  // A date with a number behind it has the digits of a phone.
  phone: (text) => scanPhones(text).filter((span) => !/\d[./]\d{1,2}[./]\d/.test(span.text)),
};

/** The values of a property's kind in a sentence. */
export function toldIn(
  text: string,
  field: Field,
  meaning: Meaning,
  question: Question,
  context: DocumentContext,
): Told[] {
  if (meaning.value === "time") return scanTimes(text).map(({ text: value, ...span }) => ({ value, ...span }));
  if (meaning.value === "period")
    return scanPeriods(text).map(({ text: value, start, end }) => ({ value, start, end }));
  const scan = SHAPES[meaning.value ?? ""];
  if (scan !== undefined) return scan(text).map(({ text: value, start, end }) => ({ value, start, end }));
  if (field.type === "string") {
    return scanDates(text, context.conventions.order).map(({ iso, start, end }) => ({
      value: wantsIso(field, meaning) ? iso : text.slice(start, end),
      start,
      end,
    }));
  }
  if (question.unit !== undefined && field.type === "integer")
    return scanPeriods(text).flatMap(({ count, unit, start, end }) =>
      count === null || unit !== question.unit ? [] : [{ value: count, start, end }],
    );
  if (field.type === "integer") return countsIn(text, question, context);
  const figures = figuresIn(text, field, context);
  return figures.length > 0 || asksForCurrency(field) ? figures : measuresIn(text, field, context);
}
