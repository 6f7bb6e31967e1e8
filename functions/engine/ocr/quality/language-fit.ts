/** Whether the words of a page are words: how well its letters fit any language that is known here. */

import { pairScore } from "./letter-pairs.ts";
import { LEXICON } from "./lexicon.ts";

export interface LanguageEvidence {
  /** 0 no language at all, 1 surely one. */
  score: number;
  /** Letters of the words that could be judged; none of numbers, codes and abbreviations. */
  letters: number;
  /** Share of the judged letters that stand in words of the lexicon. */
  known: number;
}

/** What a word of the lexicon counts at least, and what a string counts that is no word by its look; as pair scores. */
const KNOWN = 1;
const ODD = -1.5;
/** One strange name does not outweigh a line. */
const REACH = 2;
/** Two letters are in the lexicon of some language by chance. */
const LEAST_KNOWN = 3;
/**
 * Mean pair scores from which on a text is surely one, and below which it surely is none. A few lines in twenty European
 * languages have 0.37 and more (Welsh, the furthest off, 0 to 0.4), the same with its letters exchanged 0.06 and less.
 */
const SURE = 0.5;
const SURELY_NOT = -0.3;
/**
 * Letters that are judged together: a line or two, as a text may be garbled in one of its fonts only. With fewer in all
 * the doubt shrinks in proportion.
 */
const STRETCH = 80;

/** Four capitals at most, or capitals with points, are an abbreviation. */
const ABBREVIATION = /^\p{Lu}{1,4}$/u;
const EDGE_MARKS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
/** What may stand inside a word or join two. */
const JOINTS = /['’`‘´\-‐‑–—/.,:;&+()[\]]+/u;
const ADDRESS = /@[\w-]+\.|:\/\/|www\.|\.[a-z]{2,4}(?:\/|$)/i;
/** One of these may stand in a word (`AT&T`, `5%-ige`); two are no word, nor a number. */
const SYMBOL = /[!"#$%&*+;<=>?[\\\]^_{|}~]/g;
const LATIN = /^[\p{Script=Latin}\p{M}]+$/u;
const SOME_LATIN = /\p{Script=Latin}/u;
const LETTERS = /^[\p{L}\p{M}]+$/u;
/** A digit between small letters is a letter misread. */
const DIGIT_INSIDE = /\p{Ll}\p{N}{1,2}\p{Ll}/u;
const HUMP = /\p{Ll}\p{Lu}/gu;
const REPEATED = /(\p{L})\1{3}/u;

interface Verdict {
  score: number;
  known: boolean;
}

/** What a part of a word counts, undefined for what says nothing. */
function judgePart(part: string): Verdict | undefined {
  if (part.length < 2 || ABBREVIATION.test(part)) {
    return LEXICON.has(part.toLowerCase()) && part.length >= LEAST_KNOWN ? { score: KNOWN, known: true } : undefined;
  }
  if (/\p{N}/u.test(part)) return DIGIT_INSIDE.test(part) ? { score: ODD, known: false } : undefined;
  if (!LETTERS.test(part)) return { score: ODD, known: false };
  // Other scripts are not known here; a page of them is not the worse for a few Latin names.
  if (!LATIN.test(part)) return { score: SOME_LATIN.test(part) ? ODD : SURE, known: false };
  if (REPEATED.test(part) || (part.match(HUMP)?.length ?? 0) > 2) return { score: ODD, known: false };
  const score = Math.min(Math.max(pairScore(part), -REACH), REACH);
  const known = part.length >= LEAST_KNOWN && LEXICON.has(part.toLowerCase());
  return { score: known ? Math.max(score, KNOWN) : score, known };
}

/** The certainty of a text that comes word by word, as the mean of its stretches'. */
class Certainty {
  #letters = 0;
  #sum = 0;
  #stretch = { letters: 0, scores: 0, pairs: 0 };

  add(letters: number, score: number): void {
    const stretch = this.#stretch;
    // As many pairs as letters, and one.
    stretch.pairs += letters + 1;
    stretch.scores += score * (letters + 1);
    stretch.letters += letters;
    if (stretch.letters >= STRETCH) this.#finish();
  }

  #finish(): void {
    const { letters, scores, pairs } = this.#stretch;
    if (letters === 0) return;
    this.#letters += letters;
    this.#sum += letters * Math.min(Math.max((scores / pairs - SURELY_NOT) / (SURE - SURELY_NOT), 0), 1);
    this.#stretch = { letters: 0, scores: 0, pairs: 0 };
  }

  /** 0 to 1; 1 where there was nothing to judge. */
  result(): { certain: number; letters: number } {
    this.#finish();
    return { certain: this.#letters === 0 ? 1 : this.#sum / this.#letters, letters: this.#letters };
  }
}

/** What a word counts, by its parts. */
type Verdicts = readonly (Verdict & { letters: number })[];

function judgeWord(word: string): Verdicts {
  if (ADDRESS.test(word)) return [];
  const bare = word.normalize("NFC").replaceAll(EDGE_MARKS, "");
  if ((bare.match(SYMBOL)?.length ?? 0) > 1) return [{ letters: bare.length, score: ODD, known: false }];
  return bare.split(JOINTS).flatMap((part) => {
    const verdict = judgePart(part);
    return verdict === undefined ? [] : [{ ...verdict, letters: part.length }];
  });
}

/** Most words of a text have been seen before: their verdicts are kept, of so many words, none longer than that. */
const MOST_KEPT = 10_000;
const LONGEST_KEPT = 40;
const kept = new Map<string, Verdicts>();

function verdictsOf(word: string): Verdicts {
  const known = kept.get(word);
  if (known !== undefined) return known;
  const verdicts = judgeWord(word);
  if (word.length > LONGEST_KEPT) return verdicts;
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(word, verdicts);
  return verdicts;
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
  const doubt = (1 - certain) * Math.min(letters / STRETCH, 1);
  return { score: 1 - doubt, letters, known: letters === 0 ? 0 : known / letters };
}
