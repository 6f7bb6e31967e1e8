/** Judges whether the words of a page are words: how well its letters fit any known language. */

import { pairScore } from "./letter-pairs.ts";
import { LEXICON } from "./lexicon.ts";

export interface LanguageEvidence {
  /** 0 no language at all, 1 surely one. */
  score: number;
  /** Letters of the judged words; numbers, codes and abbreviations have none. */
  letters: number;
  /** Share of the judged letters that stand in words of the lexicon. */
  known: number;
}

/** Pair scores: at least that of a word of the lexicon, and that of a string that is no word by its look. */
const KNOWN_WORD_SCORE = 1;
const ODD_STRING_SCORE = -1.5;
/** Limit of a word's score either way: one strange name does not outweigh a line. */
const MAX_WORD_SCORE = 2;
/** Length of known words: two letters are in the lexicon of some language by chance. */
const MIN_KNOWN_LENGTH = 3;
/**
 * Mean pair scores from which a text is surely a language, and below which it surely is none. A few lines in twenty
 * European languages have 0.37 and more (Welsh, the furthest off, 0 to 0.4), the same with its letters exchanged 0.06
 * and less.
 */
const SURE_LANGUAGE_SCORE = 0.5;
const NO_LANGUAGE_SCORE = -0.3;
/**
 * Letters that are judged together: a line or two, as a text may be garbled in one of its fonts only. With fewer in all
 * the doubt shrinks in proportion.
 */
const STRETCH_LETTERS = 80;

/** Four capitals at most are an abbreviation. */
const ABBREVIATION = /^\p{Lu}{1,4}$/u;
const EDGE_MARKS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
/**
 * Signs that may stand inside a word or join two; with those of Chinese and Japanese, which write whole sentences
 * without a space.
 */
const JOINTS =
  /['’`‘´\-‐‑–—/.,:;&+()[\]\u3000-\u3003\u3008-\u3020\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+/u;
const ADDRESS = /@[\w-]+\.|:\/\/|www\.|\.[a-z]{2,4}(?:\/|$)/i;
/** One of these may stand in a word (`AT&T`, `5%-ige`); a string with two is no word, nor a number. */
const ODD_SYMBOL = /[!"#$%&*+;<=>?[\\\]^_{|}~]/g;
const LATIN = /^[\p{Script=Latin}\p{M}]+$/u;
const SOME_LATIN = /\p{Script=Latin}/u;
/** A formula's sign or an abbreviation, in a script that sets no space before it. */
const SIGN_IN_UNSPACED =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])\p{Script=Latin}{1,4}(?!\p{Script=Latin})/gu;
const LETTERS = /^[\p{L}\p{M}]+$/u;
/** A digit between small letters is a letter misread. */
const DIGIT_INSIDE = /\p{Ll}\p{N}{1,2}\p{Ll}/u;
const INNER_CAPITAL = /\p{Ll}\p{Lu}/gu;
const REPEATED = /(\p{L})\1{3}/u;

interface Verdict {
  score: number;
  known: boolean;
}

/** Judges a part of a word; undefined where it says nothing. */
function judgePart(part: string): Verdict | undefined {
  if (part.length < 2 || ABBREVIATION.test(part)) {
    return LEXICON.has(part.toLowerCase()) && part.length >= MIN_KNOWN_LENGTH
      ? { score: KNOWN_WORD_SCORE, known: true }
      : undefined;
  }
  if (/\p{N}/u.test(part)) return DIGIT_INSIDE.test(part) ? { score: ODD_STRING_SCORE, known: false } : undefined;
  if (!LETTERS.test(part)) return { score: ODD_STRING_SCORE, known: false };
  // Other scripts have no lexicon; a few Latin names do not lower a page of them.
  if (!LATIN.test(part))
    return {
      score: SOME_LATIN.test(part.replaceAll(SIGN_IN_UNSPACED, "")) ? ODD_STRING_SCORE : SURE_LANGUAGE_SCORE,
      known: false,
    };
  if (REPEATED.test(part) || (part.match(INNER_CAPITAL)?.length ?? 0) > 2)
    return { score: ODD_STRING_SCORE, known: false };
  const score = Math.min(Math.max(pairScore(part), -MAX_WORD_SCORE), MAX_WORD_SCORE);
  const known = part.length >= MIN_KNOWN_LENGTH && LEXICON.has(part.toLowerCase());
  return { score: known ? Math.max(score, KNOWN_WORD_SCORE) : score, known };
}

/** Certainty of a text that comes word by word: the mean of its stretches. */
class Certainty {
  #letters = 0;
  #sum = 0;
  #stretch = { letters: 0, scores: 0, pairs: 0 };

  add(letters: number, score: number): void {
    const stretch = this.#stretch;
    // A word has one more pair than letters.
    stretch.pairs += letters + 1;
    stretch.scores += score * (letters + 1);
    stretch.letters += letters;
    if (stretch.letters >= STRETCH_LETTERS) this.#finish();
  }

  #finish(): void {
    const { letters, scores, pairs } = this.#stretch;
    if (letters === 0) return;
    this.#letters += letters;
    this.#sum +=
      letters *
      Math.min(Math.max((scores / pairs - NO_LANGUAGE_SCORE) / (SURE_LANGUAGE_SCORE - NO_LANGUAGE_SCORE), 0), 1);
    this.#stretch = { letters: 0, scores: 0, pairs: 0 };
  }

  /** 0 to 1; 1 for a text without anything to judge. */
  result(): { certain: number; letters: number } {
    this.#finish();
    return { certain: this.#letters === 0 ? 1 : this.#sum / this.#letters, letters: this.#letters };
  }
}

/** Verdicts on the parts of a word. */
type Verdicts = readonly (Verdict & { letters: number })[];

function judgeWord(word: string): Verdicts {
  if (ADDRESS.test(word)) return [];
  const bare = word.normalize("NFC").replaceAll(EDGE_MARKS, "");
  if ((bare.match(ODD_SYMBOL)?.length ?? 0) > 1)
    return [{ letters: bare.length, score: ODD_STRING_SCORE, known: false }];
  return bare.split(JOINTS).flatMap((part) => {
    const verdict = judgePart(part);
    return verdict === undefined ? [] : [{ ...verdict, letters: part.length }];
  });
}

/** Cache of verdicts, as texts repeat words: its number of words, and their length. */
const MAX_CACHED_WORDS = 10_000;
const MAX_CACHED_LENGTH = 40;
const cachedVerdicts = new Map<string, Verdicts>();

function verdictsOf(word: string): Verdicts {
  const known = cachedVerdicts.get(word);
  if (known !== undefined) return known;
  const verdicts = judgeWord(word);
  if (word.length > MAX_CACHED_LENGTH) return verdicts;
  if (cachedVerdicts.size >= MAX_CACHED_WORDS) cachedVerdicts.clear();
  cachedVerdicts.set(word, verdicts);
  return verdicts;
}

/** Letters that a word can grow by when it is normalized, for each that is not ASCII: NFC at most triples it. */
const MAX_NORMALIZED_GROWTH = 3;

/**
 * Tells whether the words' share of known letters is certain to reach `share`, mostly from the first few of them: a
 * text in order need not be judged to its end.
 */
export function reachesKnownShare(words: readonly string[], share: number): boolean {
  let most = 0;
  for (const word of words) most += isAscii(word) ? word.length : MAX_NORMALIZED_GROWTH * word.length;
  let known = 0;
  for (const word of words) {
    for (const verdict of verdictsOf(word)) if (verdict.known) known += verdict.letters;
    if (known >= share * most) return true;
  }
  return false;
}

function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** Judges words, in reading order, by their spelling. */
export function judgeLanguage(words: Iterable<string>): LanguageEvidence {
  const certainty = new Certainty();
  let known = 0;
  for (const word of words) {
    for (const verdict of verdictsOf(word)) {
      if (verdict.known) known += verdict.letters;
      certainty.add(verdict.letters, verdict.score);
    }
  }
  const { certain, letters } = certainty.result();
  const doubt = (1 - certain) * Math.min(letters / STRETCH_LETTERS, 1);
  return { score: 1 - doubt, letters, known: letters === 0 ? 0 : known / letters };
}
