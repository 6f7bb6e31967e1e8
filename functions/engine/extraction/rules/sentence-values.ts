/**
 * Figures and dates that a sentence states about a property: the sentence has the property's words, and one value of its
 * kind. A sentence with two values, or two sentences with different ones, prove neither.
 */
import type { Field } from "../../schema/schema-shape.ts";
import { scanDates } from "../../values/dates.ts";
import { scanNumbers } from "../../values/numbers.ts";
import { foldText, splitName, stem } from "../../values/text-folding.ts";
import { type TimeUnit, timeUnit } from "../../values/time-units.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyFolded } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Meaning } from "./field-meaning.ts";
import type { Finding } from "./findings.ts";
import { type Sentence, sentencesIn, streamOf, tokensIn } from "./prose-stream.ts";
import { wantsIso } from "./value-reader.ts";

/** Words of a sentence: shorter ones are cells and headings, longer ones tables. */
const MIN_SENTENCE_WORDS = 5;
const MAX_SENTENCE_WORDS = 70;
const MAX_SENTENCES = 10_000;

/** Words, folded, with umlauts in one spelling. */
const wordsIn = (text: string): string[] =>
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

interface SentenceWords {
  count: number;
  stems: string[];
}

const knownWords = new WeakMap<Sentence, SentenceWords>();

/** The words of a sentence, folded once for all properties. */
function wordsOfSentence(sentence: Sentence): SentenceWords {
  const known = knownWords.get(sentence);
  if (known !== undefined) return known;
  const words = wordsIn(sentence.text);
  const found = { count: words.length, stems: words.length > MAX_SENTENCE_WORDS ? [] : words.map(stem) };
  knownWords.set(sentence, found);
  return found;
}

interface Question {
  /** Stems of the name's words, and of those of name, title and description. */
  name: string[];
  all: string[];
  /** The unit of time that the value is asked in. */
  unit: TimeUnit | undefined;
  /** A year is part of the name: `expenses_2017`. */
  years: string[];
  /** The name says that it is a date, perhaps the document's own: `report_date`. */
  isDate: boolean;
}

function questionOf({ name, title, description }: Field): Question {
  const named = splitName(name).flatMap(wordsIn);
  const described = [...wordsIn(title), ...wordsIn(description)];
  const isContent = (word: string): boolean =>
    word.length > 2 && !EMPTY_WORDS.has(word) && timeUnit(word) === undefined && !/^\d+$/.test(word);
  const unit = [...named, ...described].map(timeUnit).find((one) => one !== undefined);
  const stems = named.filter(isContent).map(stem);
  const all = [...new Set([...stems, ...described.filter(isContent).map(stem)])];
  return {
    name: stems,
    all,
    unit,
    years: named.filter((word) => /^(?:19|20)\d\d$/.test(word)),
    isDate: named.some((word) => DATE_WORDS.has(word)),
  };
}

/** Letters from which a word may stand for its inflection, and for the share of the longer word that both have. */
const MIN_SHARED_LETTERS = 5;
const MIN_SHARED_SHARE = 0.6;

/** Equal stems, or one that goes on: `renew` and `renewal`. */
function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= MIN_SHARED_LETTERS && short.length >= MIN_SHARED_SHARE * long.length && long.startsWith(short);
}

interface Told {
  value: string | number;
  start: number;
  end: number;
}

/** All values here have digits. */
const FIGURE = /\d/;

/** Numbers with a unit of time behind them, as in `ten (10) business days`. */
function periodsIn(text: string, unit: TimeUnit): Told[] {
  return [...text.matchAll(/(?<![\p{L}\d.,§-])(\d{1,4})\)?[\s-]+(?:\p{L}+\s)?(\p{L}+)/gu)].flatMap((match) => {
    const words = wordsIn(match[0]).slice(1);
    if (!words.some((word) => timeUnit(word) === unit)) return [];
    return [{ value: Number(match[1]), start: match.index, end: match.index + (match[1]?.length ?? 0) }];
  });
}

const scaleOf = (words: readonly string[]): RegExp => new RegExp(`^\\s?(?:${anyFolded(words)})(?!\\p{L})`, "u");
const SCALES = [
  [scaleOf(wordsOf(({ numbers }) => (numbers.million ?? []).filter((word) => word.length > 2))), 1e6],
  [scaleOf(wordsOf(({ numbers }) => (numbers.billion ?? []).filter((word) => word.length > 2))), 1e9],
] as const;

/** Amounts with a currency, or else rates; `EUR 3.2 million` is in units. */
function figuresIn(text: string, field: Field, context: DocumentContext): Told[] {
  const spans = scanNumbers(text, context.conventions.notation);
  const amounts = spans.filter(({ currency }) => currency !== null);
  const rates = spans.filter(({ percent }) => percent);
  if (amounts.length > 0 && rates.length > 0) return [];
  return [...amounts, ...rates].map(({ value, start, end }) => {
    const scale = SCALES.find(([pattern]) => pattern.test(foldText(text.slice(end, end + 20))));
    const isScaled = scale !== undefined && !scale[0].test(foldText(field.name));
    return { value: isScaled ? Number((value * scale[1]).toPrecision(12)) : value, start, end };
  });
}

/** Words that may stand between a count and what is counted. */
const MAX_WORDS_TO_COUNTED = 1;

const isYear = (text: string): boolean => /^(?:19|20)\d\d$/.test(text.trim());

/** A whole number right before the words of what is counted: `232,822 new jobs`. */
function countsIn(text: string, { name }: Question, context: DocumentContext): Told[] {
  if (name.length === 0) return [];
  return scanNumbers(text, context.conventions.notation).flatMap(
    ({ value, start, end, decimals, currency, percent }) => {
      if (decimals > 0 || currency !== null || percent || value < 0 || isYear(text.slice(start, end))) return [];
      const behind = wordsIn(text.slice(end, end + 80)).map(stem);
      const first = behind.findIndex((word) => isSameWord(word, name[0] ?? ""));
      if (first < 0 || first > MAX_WORDS_TO_COUNTED || /^[.;:)]/.test(text.slice(end))) return [];
      return name.every((word, at) => isSameWord(word, behind[first + at] ?? "")) ? [{ value, start, end }] : [];
    },
  );
}

function toldIn(text: string, field: Field, meaning: Meaning, question: Question, context: DocumentContext): Told[] {
  if (field.type === "string") {
    return scanDates(text, context.conventions.order).map(({ iso, start, end }) => ({
      value: wantsIso(field, meaning) ? iso : text.slice(start, end),
      start,
      end,
    }));
  }
  if (question.unit !== undefined && field.type === "integer") return periodsIn(text, question.unit);
  return field.type === "integer" ? countsIn(text, question, context) : figuresIn(text, field, context);
}

/** Words of the name and of all, from which a sentence answers; the share of all words. */
const MIN_NAME_WORDS = 2;
const MIN_WORDS = 3;
const MIN_SHARE = 0.6;
/** Letters of a single word that a sentence with one date answers, or with a value beside it: `adopted`, `surplus`. */
const MIN_LONE_WORD_LETTERS = 5;

/** The number of the question's words that a sentence has; 0 for too few. @param isClear one word may be enough */
function scoreOf(words: readonly string[], { name, all, years }: Question, isClear: boolean): number {
  const has = (word: string): boolean => words.some((one) => isSameWord(one, word));
  if (name.length === 0 || !years.every((year) => words.includes(year)) || !name.every(has)) return 0;
  const matched = all.filter(has).length;
  const isNamed = name.length >= MIN_NAME_WORDS || (matched >= MIN_WORDS && matched >= MIN_SHARE * all.length);
  return isNamed || (isClear && (name[0]?.length ?? 0) >= MIN_LONE_WORD_LETTERS) ? matched : 0;
}

const SENTENCE_CONFIDENCE = 0.75;
const REPEATED_CONFIDENCE = 0.85;

interface Answer extends Told {
  score: number;
  /** It stands right behind a word of the name. */
  isBeside: boolean;
}

/** Words between a name and its value: `a surplus of EUR 12`, `the term of this lease is 3 years`. */
const MAX_WORDS_TO_VALUE = 2;

/** A word of the name stands right before a value, and no mark between them. */
function isBeside(text: string, { start }: Told, { name }: Question): boolean {
  const clause =
    text
      .slice(0, start)
      .split(/[,;:()]\s/u)
      .at(-1) ?? "";
  const before = wordsIn(clause)
    .slice(-1 - MAX_WORDS_TO_VALUE)
    .map(stem);
  return before.some((word) => name.some((one) => isSameWord(word, one)));
}

function answersIn(
  sentence: Sentence,
  question: Question,
  field: Field,
  meaning: Meaning,
  context: DocumentContext,
): Answer[] {
  if (!sentence.isWhole || !FIGURE.test(sentence.text)) return [];
  const { count, stems } = wordsOfSentence(sentence);
  if (count < MIN_SENTENCE_WORDS || count > MAX_SENTENCE_WORDS) return [];
  const isCount = field.type === "integer" && question.unit === undefined;
  const told = toldIn(sentence.text, field, meaning, question, context);
  const picked = new Set(told.map(({ value }) => value)).size > 1 ? inOwnClause(sentence.text, told, question) : told;
  const beside = picked.length > 0 && picked.every((one) => isCount || isBeside(sentence.text, one, question));
  const score = scoreOf(stems, question, beside || (field.type === "string" && !question.isDate));
  if (score === 0 && !isCount) return [];
  return picked.map(({ value, start, end }) => ({
    value,
    start: sentence.start + start,
    end: sentence.start + end,
    score: Math.max(score, isCount ? question.name.length : 0),
    isBeside: beside,
  }));
}

/**
 * The value of several that the name's words lead to: of a sentence's first clause where it has all of them, otherwise
 * of the only one with the others (`Members pay 20 €, students 10 €`).
 */
function inOwnClause(text: string, told: readonly Told[], { name }: Question): Told[] {
  const clauses = told.map(({ start }, at) => {
    const between = text.slice(told[at - 1]?.end ?? 0, start);
    // Words before a mark go with the value before it: `EUR 40 for adults, and for students EUR 15`.
    return wordsIn(at === 0 ? between : (between.split(/[,;]\s/u).at(-1) ?? "")).map(stem);
  });
  const lacks = (clause: readonly string[] | undefined, word: string): boolean =>
    clause?.some((one) => isSameWord(one, word)) !== true;
  const others = name.filter((word) => lacks(clauses[0], word));
  if (others.length === 0) return told.slice(0, 1);
  const own = told.filter((_, at) => at > 0 && !others.some((word) => lacks(clauses[at], word)));
  return own.length === 1 ? own : [];
}

const isAsked = ({ type, format, choices }: Field, { value, role, part }: Meaning): boolean => {
  if (choices !== null || role !== null || part !== null) return false;
  if (type === "string") return format === "date" || format === "date-time" || value === "date";
  return (type === "number" || type === "integer") && value !== "code";
};

/** The figure or date that sentences state about a property. @returns null for none, and for different ones */
export function sentenceValue(field: Field, meaning: Meaning, context: DocumentContext): Finding | null {
  if (!isAsked(field, meaning) || context.isBill()) return null;
  const question = questionOf(field);
  const answers = sentencesIn(context)
    .slice(0, MAX_SENTENCES)
    .flatMap((sentence) => answersIn(sentence, question, field, meaning, context));
  return agreedAnswer(answers, field, context);
}

/** The answer of the sentences with most words. @returns null where nearly as good ones say something else */
function agreedAnswer(answers: readonly Answer[], field: Field, context: DocumentContext): Finding | null {
  const most = answers.reduce((best, { score }) => Math.max(best, score), 0);
  const best = answers.filter(({ score }) => score === most);
  const beside = best.filter((one) => one.isBeside);
  // Sentences with the value beside a word of the name go before others with as many words.
  const isOne = new Set(best.map(({ value }) => value)).size === 1;
  const rest = answers.filter(({ score }) => score === most - 1);
  const near = isOne || beside.length === 0 ? [...best, ...rest] : beside;
  const [first] = near;
  if (first === undefined || near.some(({ value }) => value !== first.value)) return null;
  if (typeof first.value === "number" && (first.value < field.minimum || first.value > field.maximum)) return null;
  return {
    value: first.value,
    tokens: tokensIn(streamOf(context), first.start, first.end),
    confidence: near.length > 1 ? REPEATED_CONFIDENCE : SENTENCE_CONFIDENCE,
  };
}
