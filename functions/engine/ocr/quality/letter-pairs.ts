/**
 * How much a string of Latin letters looks like a word of some European language: by pairs of neighbouring letters, as
 * the words of the lexicon have them, accents aside. A text whose letters stand for others (a wrong encoding) has pairs
 * that no language has; names and words that are in no lexicon have the usual ones.
 */
import { LEXICON } from "./lexicon.ts";

/** 26 letters, and 0 for the edge of the word. */
const SYMBOLS = 27;
const EDGE = 0;
/** Of a pair that the lexicon does not have, before smoothing. */
const UNSEEN = 0.5;

const ACCENTS = /\p{M}/gu;
/** Letters that do not come apart into one of a to z and a mark. */
const JOINED: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ı: "i" };

/** a to z, as in a foreign passport. */
const toPlainLetters = (word: string): string =>
  word
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(ACCENTS, "")
    .replaceAll(/[^a-z]/g, (letter) => JOINED[letter] ?? "");

const symbolAt = (letters: string, index: number): number =>
  index < 0 || index >= letters.length ? EDGE : letters.charCodeAt(index) - 96;

/** For each pair, how much likelier it is in words than where letters stand at random, as a logarithm of base 2. */
function learnPairs(): Float64Array {
  const pairs = new Float64Array(SYMBOLS * SYMBOLS).fill(UNSEEN);
  const firsts = new Float64Array(SYMBOLS).fill(UNSEEN * SYMBOLS);
  for (const word of LEXICON) {
    const letters = toPlainLetters(word);
    for (let index = 0; index <= letters.length; index += 1) {
      const first = symbolAt(letters, index - 1);
      const pair = first * SYMBOLS + symbolAt(letters, index);
      pairs[pair] = (pairs[pair] ?? 0) + 1;
      firsts[first] = (firsts[first] ?? 0) + 1;
    }
  }
  return pairs.map((count, pair) => Math.log2((count * SYMBOLS) / (firsts[Math.floor(pair / SYMBOLS)] ?? 1)));
}

const PAIRS = learnPairs();

/** Bits a pair, on average, by which the word is likelier than random letters: above 0 for words, below for others. */
export function pairScore(word: string): number {
  const letters = toPlainLetters(word);
  let sum = 0;
  for (let index = 0; index <= letters.length; index += 1) {
    sum += PAIRS[symbolAt(letters, index - 1) * SYMBOLS + symbolAt(letters, index)] ?? 0;
  }
  return sum / (letters.length + 1);
}
