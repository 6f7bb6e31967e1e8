/** Merges the words of several passes over one page, and drops noise. */

import { middleY, overlapShare } from "../../../engine/layout/geometry.ts";
import type { Box } from "../../../ports/layout.ts";
import type { ReadWord } from "./tesseract-tsv.ts";

const ALPHANUMERIC = /[\p{L}\p{N}]/u;
const NUMBER = /^\p{N}+$/u;
/** Rests of rules and frames look like these. */
const RULE_SIGNS = /^[|_¦~—–\-=[\](){}<>/\\.,:;'"`‘’“”°•*+!]+$/u;
/** Least confidence of signs alone, and of signs that rests of rules look like. */
const MIN_SIGN_CONFIDENCE = 0.5;
const MIN_RULE_SIGN_CONFIDENCE = 0.7;
/** Least confidence of words, and of short ones that are no number: less is a guess at specks. */
const MIN_CONFIDENCE = 0.12;
const MIN_SHORT_CONFIDENCE = 0.2;
const SHORT_WORD_LETTERS = 3;
/**
 * Words that share this much of the smaller one's box are readings of the same ink; words that share this much of the
 * longer one's letters are alike.
 */
const SAME_INK_OVERLAP_SHARE = 0.45;
const ALIKE_LETTER_SHARE = 0.5;
const MAX_FRAGMENT_LETTERS = 2;
/** Space between two words of a line, in heights of the lower one: a wide one of typewriters' letters, no column's gap. */
const MAX_SPACE_HEIGHTS = 0.85;

const isNoise = ({ text, confidence }: ReadWord): boolean => {
  if (ALPHANUMERIC.test(text))
    return (
      confidence < (text.length <= SHORT_WORD_LETTERS && !NUMBER.test(text) ? MIN_SHORT_CONFIDENCE : MIN_CONFIDENCE)
    );
  return confidence < (RULE_SIGNS.test(text) ? MIN_RULE_SIGN_CONFIDENCE : MIN_SIGN_CONFIDENCE);
};

/** Words that may be text. */
export const withoutNoise = (words: readonly ReadWord[]): ReadWord[] => words.filter((word) => !isNoise(word));

/**
 * Number of letters and digits, each weighted by the confidence of its word.
 * @param least least confidence of a word
 */
export function certainLetters(words: readonly ReadWord[], least = 0): number {
  let sum = 0;
  for (const { text, confidence } of words) {
    if (confidence >= least) sum += confidence * (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0);
  }
  return sum;
}

/** Mean confidence of the letters and digits; 0 for none. */
export function meanConfidence(words: readonly ReadWord[]): number {
  let letters = 0;
  for (const { text } of words) letters += text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters === 0 ? 0 : certainLetters(words) / letters;
}

/** Side of the squares that index words. */
const INDEX_SQUARE_INCHES = 0.5;
/** Squares that one word touches at most. */
const MAX_SQUARES_OF_WORD = 400;

/** Index of words by their places. */
export class WordIndex {
  readonly #squares = new Map<string, number[]>();

  constructor(words: readonly ReadWord[]) {
    for (const [index, { box }] of words.entries()) {
      for (const key of this.#keys(box)) {
        const square = this.#squares.get(key);
        if (square === undefined) this.#squares.set(key, [index]);
        else square.push(index);
      }
    }
  }

  near(box: Box): Set<number> {
    return new Set(this.#keys(box).flatMap((key) => this.#squares.get(key) ?? []));
  }

  #keys({ left, top, right, bottom }: Box): string[] {
    const keys: string[] = [];
    for (let y = Math.floor(top / INDEX_SQUARE_INCHES); y <= bottom / INDEX_SQUARE_INCHES; y += 1) {
      for (
        let x = Math.floor(left / INDEX_SQUARE_INCHES);
        x <= right / INDEX_SQUARE_INCHES && keys.length < MAX_SQUARES_OF_WORD;
        x += 1
      ) {
        keys.push(`${x} ${y}`);
      }
    }
    return keys;
  }
}

/** True if the middle of each box's height lies within the other. */
export function shareRow(a: Box, b: Box): boolean {
  const [one, other] = [middleY(a), middleY(b)];
  return one >= b.top && one <= b.bottom && other >= a.top && other <= a.bottom;
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * True if one word's letters, in their order, are most of the other's: readings of one word, however wrong. One or two
 * letters are part of any word.
 */
function areAlike(a: string, b: string): boolean {
  const [short = "", long = ""] = [lettersOf(a), lettersOf(b)].sort((one, other) => one.length - other.length);
  if (short.length <= MAX_FRAGMENT_LETTERS) return true;
  let [at, common] = [0, 0];
  for (const letter of short) {
    const next = long.indexOf(letter, at);
    if (next < 0) continue;
    at = next + 1;
    common += 1;
  }
  return common >= ALIKE_LETTER_SHARE * long.length;
}

/**
 * True if two passes read the same ink. Where lines stand close, boxes reach into the row above or below, or are flat:
 * then only readings that are alike are of one word.
 */
const areRivals = (a: ReadWord, b: ReadWord): boolean =>
  overlapShare(a.box, b.box) >= SAME_INK_OVERLAP_SHARE && (shareRow(a.box, b.box) || areAlike(a.text, b.text));

/** True if two words follow each other in a row, either way round, with no more than a space between them. */
function areNeighbours(a: Box, b: Box): boolean {
  const gap = Math.max(a.left - b.right, b.left - a.right);
  return shareRow(a, b) && gap <= MAX_SPACE_HEIGHTS * Math.min(a.bottom - a.top, b.bottom - b.top);
}

/** Puts words into the lines of others: each in the place of the word that it replaces, or beside its neighbour. */
class LineInsertion {
  readonly #first: readonly ReadWord[];
  readonly #places: WordIndex;
  readonly #before = new Map<ReadWord, ReadWord[]>();
  readonly #behind = new Map<ReadWord, ReadWord[]>();

  constructor(first: readonly ReadWord[], places: WordIndex) {
    this.#first = first;
    this.#places = places;
  }

  /** @returns true where there is a place @param replaced the words that it replaces */
  insert(word: ReadWord, replaced: readonly ReadWord[]): boolean {
    const own = replaced[0] ?? this.#neighbourOf(word);
    if (own === undefined) return false;
    const side = replaced.length > 0 || word.box.left < own.box.left ? this.#before : this.#behind;
    side.set(own, [...(side.get(own) ?? []), { ...word, line: own.line }]);
    return true;
  }

  /** The words of the first reading, without some, and the inserted ones in their places. */
  words(dropped: ReadonlySet<ReadWord>): ReadWord[] {
    return this.#first.flatMap((word) => [
      ...(this.#before.get(word) ?? []),
      ...(dropped.has(word) ? [] : [word]),
      ...(this.#behind.get(word) ?? []),
    ]);
  }

  #neighbourOf({ box }: ReadWord): ReadWord | undefined {
    const room = MAX_SPACE_HEIGHTS * (box.bottom - box.top);
    const near = this.#places.near({ ...box, left: box.left - room, right: box.right + room });
    return [...near].flatMap((index) => this.#first[index] ?? []).find((other) => areNeighbours(other.box, box));
  }
}

/**
 * Merges two readings: of readings of the same ink the one with more certain letters wins; words of only one reading
 * stay. A word of the second stands in the line of the first that it belongs to: alone in a line of its own, it would
 * part a label from its value.
 * @param margin by which a reading of `second` must be better to replace one of `first`
 */
export function mergeWords(first: readonly ReadWord[], second: readonly ReadWord[], margin: number): ReadWord[] {
  const places = new WordIndex(first);
  const lineInsertion = new LineInsertion(first, places);
  const dropped = new Set<ReadWord>();
  const added: ReadWord[] = [];
  const lines = first.reduce((most, { line }) => Math.max(most, line + 1), 0);
  const rivals = second.map((word) =>
    [...places.near(word.box)].flatMap((index) => {
      const other = first[index];
      return other !== undefined && areRivals(word, other) ? [other] : [];
    }),
  );
  const parts = new Map<ReadWord, number>();
  for (const other of rivals.flat()) parts.set(other, (parts.get(other) ?? 0) + 1);
  for (const [index, word] of second.entries()) {
    const others = rivals[index] ?? [];
    // When one pass has several words for one word of the other, letters are compared, each with its part.
    const theirs = others.reduce((sum, other) => sum + certainLetters([other]) / (parts.get(other) ?? 1), 0);
    if (others.length > 0 && certainLetters([word]) <= theirs * (1 + margin)) continue;
    for (const other of others) dropped.add(other);
    if (!lineInsertion.insert(word, others)) added.push({ ...word, line: word.line + lines });
  }
  return [...lineInsertion.words(dropped), ...added];
}
