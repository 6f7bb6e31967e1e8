/**
 * Scores how much a string of Latin letters looks like a word of some European language: by pairs of neighbouring
 * letters, as the words of the lexicon have them, accents aside. A text whose letters stand for others (a wrong
 * encoding) has pairs that no language has; names and words that are in no lexicon have the usual ones.
 */
import { LEXICON } from "./lexicon.ts";

/** 26 letters, and 0 for the edge of the word. */
const SYMBOL_COUNT = 27;
const WORD_EDGE = 0;
/** Count of a pair that the lexicon does not have, before smoothing. */
const UNSEEN_PAIR_COUNT = 0.5;

const ACCENTS = /\p{M}/gu;
/** Letters that do not decompose into one of a to z and a mark. */
const PLAIN_SPELLINGS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
};

/** Spells a word in a to z, as in a passport. */
const toPlainLetters = (word: string): string =>
  word
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(ACCENTS, "")
    .replaceAll(/[^a-z]/g, (letter) => PLAIN_SPELLINGS[letter] ?? "");

const symbolAt = (letters: string, index: number): number =>
  index < 0 || index >= letters.length ? WORD_EDGE : letters.charCodeAt(index) - 96;

/** Log-likelihood (base 2) of each pair in words, relative to letters at random. */
function learnPairs(): Float64Array {
  const pairs = new Float64Array(SYMBOL_COUNT * SYMBOL_COUNT).fill(UNSEEN_PAIR_COUNT);
  const firsts = new Float64Array(SYMBOL_COUNT).fill(UNSEEN_PAIR_COUNT * SYMBOL_COUNT);
  for (const word of LEXICON) {
    const letters = toPlainLetters(word);
    for (let index = 0; index <= letters.length; index += 1) {
      const first = symbolAt(letters, index - 1);
      const pair = first * SYMBOL_COUNT + symbolAt(letters, index);
      pairs[pair] = (pairs[pair] ?? 0) + 1;
      firsts[first] = (firsts[first] ?? 0) + 1;
    }
  }
  return pairs.map((count, pair) => Math.log2((count * SYMBOL_COUNT) / (firsts[Math.floor(pair / SYMBOL_COUNT)] ?? 1)));
}

const PAIR_SCORES = learnPairs();

/** Mean bits a pair by which the word is likelier than random letters: above 0 for words, below for others. */
export function pairScore(word: string): number {
  const letters = toPlainLetters(word);
  let sum = 0;
  for (let index = 0; index <= letters.length; index += 1) {
    sum += PAIR_SCORES[symbolAt(letters, index - 1) * SYMBOL_COUNT + symbolAt(letters, index)] ?? 0;
  }
  return sum / (letters.length + 1);
}
