/**
 * Figures and dates that a sentence states about a property: the sentence has the property's words, rare ones before
 * frequent ones, and one value of its kind. A sentence with two values, or two sentences with different ones, prove
 * neither.
 */
import type { Field } from "../../schema/schema-shape.ts";
import { stem } from "../../values/stems.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Meaning } from "./field-meaning.ts";
import type { Finding } from "./findings.ts";
import { type Sentence, sentencesIn, streamOf, tokensIn } from "./prose-stream.ts";
import { hasWord, isSameWord, type Question, questionOf, type Told, toldIn, wordsIn } from "./told-values.ts";

/** Words of a sentence: shorter ones are cells and headings, longer ones tables. */
const MIN_SENTENCE_WORDS = 4;
const MAX_SENTENCE_WORDS = 70;
const MAX_SENTENCES = 10_000;

interface SentenceIndex {
  sentences: Sentence[];
  /** The sentences that have a stem, by their number. */
  places: Map<string, number[]>;
}

const indexes = new WeakMap<DocumentContext, SentenceIndex>();

/** The sentences of a document by the stems of their words, made once for all properties. */
function indexOf(context: DocumentContext): SentenceIndex {
  const made = indexes.get(context);
  if (made !== undefined) return made;
  const index: SentenceIndex = { sentences: [], places: new Map() };
  for (const sentence of sentencesIn(context).slice(0, MAX_SENTENCES)) {
    const words = wordsIn(sentence.text);
    if (!sentence.isWhole || words.length < MIN_SENTENCE_WORDS || words.length > MAX_SENTENCE_WORDS) continue;
    for (const one of new Set([...words, ...words.map(stem)])) {
      const known = index.places.get(one);
      if (known === undefined) index.places.set(one, [index.sentences.length]);
      else known.push(index.sentences.length);
    }
    index.sentences.push(sentence);
  }
  indexes.set(context, index);
  return index;
}

/** Words of the name that a sentence answers without others. */
const MIN_NAME_WORDS = 2;
/** Letters of a single word that a sentence with one date answers, or with a value beside it: `adopted`, `surplus`. */
const MIN_LONE_WORD_LETTERS = 5;
/**
 * Words of the question that a sentence has, and the share of what all of them tell, from which it answers. A word tells
 * the logarithm of how many sentences there are for each one that has it. On five sets of prose, answers from 0.3, 0.4 and
 * 0.5 on were right equally often (0.88), and those of a single word less often (0.75).
 */
const MIN_WORDS = 2;
const MIN_TOLD_SHARE = 0.4;

interface Match {
  sentence: Sentence;
  /** Stems of the question that the sentence has. */
  words: Set<string>;
  /** The sum of what these words tell. */
  score: number;
  /** These tell most of the question. */
  isCovered: boolean;
}

/** The sentences with words of the question. */
function matchesOf(question: Question, context: DocumentContext): Match[] {
  const { sentences, places } = indexOf(context);
  const found = new Map<number, Match>();
  let total = 0;
  for (const word of question.all) {
    const own = [...places].flatMap(([one, at]) => (hasWord([one], word, question) ? at : []));
    const having = new Set(own);
    const weight = Math.log((sentences.length + 1) / (having.size + 0.5));
    total += weight;
    for (const at of having) {
      const sentence = sentences[at];
      if (sentence === undefined) continue;
      const match = found.get(at) ?? { sentence, words: new Set(), score: 0, isCovered: false };
      match.words.add(word);
      match.score += weight;
      found.set(at, match);
    }
  }
  const matches = [...found.values()];
  for (const match of matches) match.isCovered = match.words.size >= MIN_WORDS && match.score >= MIN_TOLD_SHARE * total;
  const { years } = question;
  const inYears = new Set(years.flatMap((year) => places.get(year) ?? []).map((at) => sentences[at]));
  return years.length === 0 ? matches : matches.filter(({ sentence }) => inYears.has(sentence));
}

/** The sentence has all words of the name, which are enough. @param isClear one word may be enough */
const isNamed = ({ words }: Match, { name }: Question, isClear: boolean): boolean =>
  name.length > 0 &&
  name.every((word) => words.has(word)) &&
  (name.length >= MIN_NAME_WORDS || (isClear && (name[0]?.length ?? 0) >= MIN_LONE_WORD_LETTERS));

/** In six sets of prose 0.91 of 236 values were right: these give them 0.87 and 0.93 where nothing speaks against them. */
const SENTENCE_CONFIDENCE = 0.5;
const REPEATED_CONFIDENCE = 0.65;
/**
 * Sentences without an answer that tell as much of the question as the one with it. Over six sets of prose, 186 of 203
 * answers with fewer were right; of those with as many and no word of the name beside them, 9 of 19: a guess.
 */
const MIN_SILENT_SENTENCES = 2;
const GUESS_CONFIDENCE = 0;

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
  match: Match,
  question: Question,
  field: Field,
  meaning: Meaning,
  context: DocumentContext,
): Answer[] {
  const { sentence, score, isCovered } = match;
  const isCount = field.type === "integer" && question.unit === undefined;
  if (!isCovered && !isNamed(match, question, true)) return [];
  const told = toldIn(sentence.text, field, meaning, question, context);
  const picked = new Set(told.map(({ value }) => value)).size > 1 ? inOwnClause(sentence.text, told, question) : told;
  const beside = picked.length > 0 && picked.every((one) => isCount || isBeside(sentence.text, one, question));
  if (!isCovered && !isNamed(match, question, beside || (field.type === "string" && !question.isDate))) return [];
  return picked.map(({ value, start, end }) => ({
    value,
    start: sentence.start + start,
    end: sentence.start + end,
    score,
    isBeside: beside,
  }));
}

/**
 * The value of several that the name's words lead to: of a sentence's first clause where it has all of them, otherwise
 * of the only one with the others (`Members pay 20 €, students 10 €`).
 */
function inOwnClause(text: string, told: readonly Told[], { name }: Question): Told[] {
  const behind = told.map(({ end }, at) => wordsIn(text.slice(end, told[at + 1]?.start)).map(stem));
  const next = told.map(({ end }) =>
    wordsIn(/^\s*(?:[^\s\p{L}]{1,3}\s)?\p{L}+/u.exec(text.slice(end))?.[0] ?? "").map(stem),
  );
  const clauses = told.map(({ start }, at) => {
    const between = text.slice(told[at - 1]?.end ?? 0, start);
    // Words before a mark go with the value before it: `EUR 40 for adults, and for students EUR 15`.
    return wordsIn(at === 0 ? between : (between.split(/[,;]\s/u).at(-1) ?? "")).map(stem);
  });
  const lacks = (clause: readonly string[] | undefined, word: string): boolean =>
    clause?.some((one) => isSameWord(one, word)) !== true;
  // A word right behind a value is said of it: `EUR 375 gross, which are EUR 300 net`.
  const [said, ...more] = told.filter((_, at) => name.some((word) => !lacks(next[at], word)));
  const others = name.filter((word) => lacks(clauses[0], word));
  if (said !== undefined && more.length === 0) return others.length > 0 ? [said] : told.slice(0, 1);
  // Words behind the last value: each value stands before its name (`at 19:45 for the first call, 20:15 for the second`).
  if (name.some((word) => !lacks(behind.at(-1), word))) {
    const led = told.filter((_, at) => !name.some((word) => lacks(behind[at], word)));
    return led.length === 1 ? led : [];
  }
  if (others.length === 0) return told.slice(0, 1);
  const own = told.filter((_, at) => at > 0 && !others.some((word) => lacks(clauses[at], word)));
  return own.length === 1 ? own : [];
}

const TOLD_KINDS = new Set(["date", "time", "period", "email", "url", "phone"]);

const isAsked = ({ type, format, choices }: Field, { value, role, part }: Meaning): boolean => {
  if (choices !== null || role !== null || part !== null) return false;
  if (type === "string") return format === "date" || format === "date-time" || TOLD_KINDS.has(value ?? "");
  return (type === "number" || type === "integer") && value !== "code";
};

/** The figure or date that sentences state about a property. @returns null for none, and for different ones */
export function sentenceValue(field: Field, meaning: Meaning, context: DocumentContext): Finding | null {
  if (!isAsked(field, meaning) || context.isBill()) return null;
  const question = questionOf(field, meaning);
  const matches = matchesOf(question, context);
  const answersOf = new Map(matches.map((match) => [match, answersIn(match, question, field, meaning, context)]));
  const finding = agreedAnswer([...answersOf.values()].flat(), field, context);
  if (finding === null || finding.isBeside) return finding;
  const silent = matches.filter((match) => match.score >= finding.score && answersOf.get(match)?.length === 0);
  return silent.length < MIN_SILENT_SENTENCES ? finding : { ...finding, confidence: GUESS_CONFIDENCE };
}

/** Share of the best score from which another answer is nearly as good. */
const NEAR_SHARE = 0.8;

/** The answer of the sentences that tell most. @returns null where nearly as good ones say something else */
function agreedAnswer(
  answers: readonly Answer[],
  field: Field,
  context: DocumentContext,
): (Finding & Pick<Answer, "score" | "isBeside">) | null {
  const most = answers.reduce((best, { score }) => Math.max(best, score), 0);
  const best = answers.filter(({ score }) => score >= NEAR_SHARE * most);
  const beside = best.filter((one) => one.isBeside);
  // Sentences with the value beside a word of the name go before others that tell as much.
  const near = beside.length > 0 ? beside : best;
  const [first] = near;
  if (first === undefined || near.some(({ value }) => value !== first.value)) return null;
  if (typeof first.value === "number" && (first.value < field.minimum || first.value > field.maximum)) return null;
  return {
    value: first.value,
    tokens: tokensIn(streamOf(context), first.start, first.end),
    confidence: near.length > 1 ? REPEATED_CONFIDENCE : SENTENCE_CONFIDENCE,
    score: first.score,
    isBeside: first.isBeside,
  };
}
