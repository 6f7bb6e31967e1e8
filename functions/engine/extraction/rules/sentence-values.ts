/**
 * Figures and dates that a sentence states about a property: the sentence has the property's words, and one value of its
 * kind. A sentence with two values, or two sentences with different ones, prove neither.
 */
import type { Field } from "../../schema/schema-shape.ts";
import { stem } from "../../values/stems.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Meaning } from "./field-meaning.ts";
import type { Finding } from "./findings.ts";
import { type Sentence, sentencesIn, streamOf, tokensIn } from "./prose-stream.ts";
import { hasWord, isSameWord, type Question, questionOf, type Told, toldIn, wordsIn } from "./told-values.ts";

/** Words of a sentence: shorter ones are cells and headings, longer ones tables. */
const MIN_SENTENCE_WORDS = 5;
const MAX_SENTENCE_WORDS = 70;
const MAX_SENTENCES = 10_000;

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

/** Words of the name and of all, from which a sentence answers; the share of all words. */
const MIN_NAME_WORDS = 2;
const MIN_WORDS = 3;
const MIN_SHARE = 0.6;
/** Letters of a single word that a sentence with one date answers, or with a value beside it: `adopted`, `surplus`. */
const MIN_LONE_WORD_LETTERS = 5;

/** The number of the question's words that a sentence has; 0 for too few. @param isClear one word may be enough */
function scoreOf(words: readonly string[], question: Question, isClear: boolean): number {
  const { name, all, years } = question;
  const has = (word: string): boolean => hasWord(words, word, question);
  if (name.length === 0 || !years.every((year) => words.includes(year)) || !name.every(has)) return 0;
  const matched = all.filter(has).length;
  const isNamed = name.length >= MIN_NAME_WORDS || (matched >= MIN_WORDS && matched >= MIN_SHARE * all.length);
  return isNamed || (isClear && (name[0]?.length ?? 0) >= MIN_LONE_WORD_LETTERS) ? matched : 0;
}

/** At the first sights of three sets 35 of 41 values were right: these give them 0.88 where nothing speaks against them. */
const SENTENCE_CONFIDENCE = 0.6;
const REPEATED_CONFIDENCE = 0.75;

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
  if (!sentence.isWhole) return [];
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
  const behind = told.map(({ end }, at) => wordsIn(text.slice(end, told[at + 1]?.start)).map(stem));
  const clauses = told.map(({ start }, at) => {
    const between = text.slice(told[at - 1]?.end ?? 0, start);
    // Words before a mark go with the value before it: `EUR 40 for adults, and for students EUR 15`.
    return wordsIn(at === 0 ? between : (between.split(/[,;]\s/u).at(-1) ?? "")).map(stem);
  });
  const lacks = (clause: readonly string[] | undefined, word: string): boolean =>
    clause?.some((one) => isSameWord(one, word)) !== true;
  // Words behind the last value: each value stands before its name (`at 19:45 for the first call, 20:15 for the second`).
  if (name.some((word) => !lacks(behind.at(-1), word))) {
    const led = told.filter((_, at) => !name.some((word) => lacks(behind[at], word)));
    return led.length === 1 ? led : [];
  }
  const others = name.filter((word) => lacks(clauses[0], word));
  if (others.length === 0) return told.slice(0, 1);
  const own = told.filter((_, at) => at > 0 && !others.some((word) => lacks(clauses[at], word)));
  return own.length === 1 ? own : [];
}

const isAsked = ({ type, format, choices }: Field, { value, role, part }: Meaning): boolean => {
  if (choices !== null || role !== null || part !== null) return false;
  if (type === "string")
    return format === "date" || format === "date-time" || ["date", "time", "period"].includes(value ?? "");
  return (type === "number" || type === "integer") && value !== "code";
};

/** The figure or date that sentences state about a property. @returns null for none, and for different ones */
export function sentenceValue(field: Field, meaning: Meaning, context: DocumentContext): Finding | null {
  if (!isAsked(field, meaning) || context.isBill()) return null;
  const question = questionOf(field, meaning);
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
