/** The terms of a label or of a property's name: what it says, in one spelling for all words that mean it. */
import { stem } from "../../../values/stems.ts";
import { foldText, splitName } from "../../../values/text-folding.ts";
import { wordsByKey, wordsOf } from "../../../values/vocabulary/languages.ts";

/** Terms with their weights from 0 to 1. */
export type Terms = ReadonlyMap<string, number>;

/** Words without a meaning of their own in a label. */
const EMPTY_WORDS = new Set(
  wordsOf(({ grammar }) => [
    ...(grammar.stopWords ?? []),
    ...(grammar.fillers ?? []),
    ...(grammar.articles ?? []),
    ...(grammar.prepositions ?? []),
    ...(grammar.emptyWords ?? []),
  ]).map(foldText),
);
/** Words of a phrase at most. */
const MAX_PHRASE_WORDS = 5;
/** Words of a text that are read: the beginning of a paragraph says what it is about. */
const MAX_WORDS = 120;
/** Weight of the words of a phrase beside the phrase: `name` is a part of `first name`, but not the same. */
const PART_WEIGHT = 0.35;
/** Weight of numbers and single letters: `Debtor 1`, `line 2a`. */
const NUMBER_WEIGHT = 0.5;

/** The term of an address in all languages. */
export const ADDRESS_TERM = "=address";

const PHRASES: ReadonlyMap<string, string> = new Map(
  [...wordsByKey(({ forms }) => forms?.synonyms)].flatMap(([term, phrases]) =>
    phrases.map((phrase): [string, string] => [splitName(phrase).join(" "), `=${term}`]),
  ),
);

/** The phrase that begins at a word, the longest first. */
function phraseAt(words: readonly string[], at: number): { term: string; length: number } | undefined {
  for (let length = Math.min(MAX_PHRASE_WORDS, words.length - at); length >= 1; length -= 1) {
    const term = PHRASES.get(words.slice(at, at + length).join(" "));
    if (term !== undefined) return { term, length };
  }
  return undefined;
}

/** A word's stem, umlauts however written. */
const spelled = (word: string): string => stem(word.replace(/([aou])e(?=\p{L}{2})/gu, "$1"));

const cache = new Map<string, Terms>();
const MAX_CACHED = 20_000;

function readTerms(text: string): Terms {
  // Letters with points between them are one word: `E.I.C.`, `U.S.`
  const plain = text.replace(/(?<=\b\p{L})\.(?=\p{L}\b)/gu, "").replace(/['’]s\b|\(e?s\)/gu, " ");
  const words = splitName(plain).slice(0, MAX_WORDS);
  const terms = new Map<string, number>();
  const add = (term: string, weight: number): void => void terms.set(term, Math.max(terms.get(term) ?? 0, weight));
  for (let at = 0; at < words.length; at += 1) {
    const phrase = phraseAt(words, at);
    if (phrase !== undefined) {
      add(phrase.term, 1);
      const parts = phrase.length > 1 ? words.slice(at, at + phrase.length) : [];
      for (const part of parts) if (!EMPTY_WORDS.has(part)) add(PHRASES.get(part) ?? spelled(part), PART_WEIGHT);
      at += phrase.length - 1;
      continue;
    }
    const word = words[at] ?? "";
    if (EMPTY_WORDS.has(word)) continue;
    add(spelled(word), /\d/.test(word) || word.length === 1 ? NUMBER_WEIGHT : 1);
  }
  return terms;
}

/** The terms of a text. */
export function termsOf(text: string): Terms {
  let terms = cache.get(text);
  if (terms === undefined) {
    terms = readTerms(text);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(text, terms);
  }
  return terms;
}

/** True for a text that only names things that forms ask for: `Postcode and town` is print, not what was written. */
export function namesOnlyFields(text: string): boolean {
  const whole = [...termsOf(text)].filter(([, weight]) => weight > PART_WEIGHT);
  return whole.length > 0 && whole.every(([term]) => term.startsWith("="));
}

/** Terms of several texts together, each with the weight of its text. */
export function joinTerms(texts: readonly (readonly [text: string, weight: number])[]): Map<string, number> {
  const joined = new Map<string, number>();
  for (const [text, weight] of texts)
    for (const [term, own] of termsOf(text)) joined.set(term, Math.max(joined.get(term) ?? 0, own * weight));
  return joined;
}

/** Letters that two compounds begin with to be about one thing: `Rechtsschutz` and `Rechtsschutzversicherung`. */
const MIN_COMMON_LETTERS = 6;
const MIN_COMMON_SHARE = 0.7;
const COMPOUND_WEIGHT = 0.6;

/** The weight of a term among others: its own, or less where only a compound begins alike. */
export function weightAmong(term: string, terms: ReadonlyMap<string, number>): number {
  const own = terms.get(term);
  if (own !== undefined || term.length < MIN_COMMON_LETTERS || term.startsWith("=")) return own ?? 0;
  let best = 0;
  for (const [other, weight] of terms) {
    const shorter = Math.min(other.length, term.length);
    if (shorter < MIN_COMMON_LETTERS || weight <= best) continue;
    const common = Math.max(MIN_COMMON_LETTERS, Math.ceil(MIN_COMMON_SHARE * shorter));
    if (other.slice(0, common) === term.slice(0, common)) best = weight;
  }
  return COMPOUND_WEIGHT * best;
}

/** Likeness of two short texts, 0 to 1: the share of their terms that both have. */
export function likeness(a: string, b: string): number {
  const [one, other] = [termsOf(a), termsOf(b)];
  let [shared, whole] = [0, 0];
  for (const [term, weight] of one) {
    shared += Math.min(weight, other.get(term) ?? 0);
    whole += weight;
  }
  for (const weight of other.values()) whole += weight;
  return whole === 0 ? 0 : (2 * shared) / whole;
}
