/** Words of several looks at one page brought together, and what is no word left out. */

import { middleY, overlapShare } from "../../../engine/layout/geometry.ts";
import type { Box } from "../../../ports/layout.ts";
import type { ReadWord } from "./tsv.ts";

const ALPHANUMERIC = /[\p{L}\p{N}]/u;
const NUMBER = /^\p{N}+$/u;
/** What is left of rules and frames looks like these. */
const RULE = /^[|_¦~—–\-=[\](){}<>/\\.,:;'"`‘’“”°•*+!]+$/u;
/** Signs alone need to be surer than words. */
const SURE_SIGN = 0.5;
const SURE_RULE = 0.7;
/** Below these, even a word is only a guess at specks: a short one sooner, unless it is a number. */
const LEAST = 0.12;
const LEAST_SHORT = 0.2;
const SHORT = 3;
/** Words that share so much of the smaller one's box are readings of the same ink; of the longer one's letters, alike. */
const SAME = 0.45;
const ALIKE = 0.5;
const PIECE = 2;

const isNoise = ({ text, confidence }: ReadWord): boolean => {
  if (ALPHANUMERIC.test(text)) return confidence < (text.length <= SHORT && !NUMBER.test(text) ? LEAST_SHORT : LEAST);
  return confidence < (RULE.test(text) ? SURE_RULE : SURE_SIGN);
};

/** What may be text. */
export const withoutNoise = (words: readonly ReadWord[]): ReadWord[] => words.filter((word) => !isNoise(word));

/** Letters and digits that were read, each as sure as its word. */
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

/** Inches; words are looked up by the squares of this size that they touch. */
const SQUARE = 0.5;
/** No word touches more. */
const MOST_SQUARES = 400;

/** Words by where they stand. */
class Places {
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
    for (let y = Math.floor(top / SQUARE); y <= bottom / SQUARE; y += 1) {
      for (let x = Math.floor(left / SQUARE); x <= right / SQUARE && keys.length < MOST_SQUARES; x += 1) {
        keys.push(`${x} ${y}`);
      }
    }
    return keys;
  }
}

/** Whether the middle of each box's height lies within the other. */
function shareRow(a: Box, b: Box): boolean {
  const [one, other] = [middleY(a), middleY(b)];
  return one >= b.top && one <= b.bottom && other >= a.top && other <= a.bottom;
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * Whether one word's letters, in their order, are much of the other's: readings of one word, however they went wrong. A
 * letter or two are a piece of any.
 */
function areAlike(a: string, b: string): boolean {
  const [short = "", long = ""] = [lettersOf(a), lettersOf(b)].sort((one, other) => one.length - other.length);
  if (short.length <= PIECE) return true;
  let [at, common] = [0, 0];
  for (const letter of short) {
    const next = long.indexOf(letter, at);
    if (next < 0) continue;
    at = next + 1;
    common += 1;
  }
  return common >= ALIKE * long.length;
}

/**
 * Whether two looks read the same ink. Where lines stand close, boxes reach into the row above or below, or are flat: then
 * only readings that are alike are of one word.
 */
const areRivals = (a: ReadWord, b: ReadWord): boolean =>
  overlapShare(a.box, b.box) >= SAME && (shareRow(a.box, b.box) || areAlike(a.text, b.text));

/**
 * Readings of the same ink compete, the one with more certain letters wins; words that only one look found stay.
 * @param margin by which a reading of `second` must be better to replace one of `first`
 */
export function mergeWords(first: readonly ReadWord[], second: readonly ReadWord[], margin: number): ReadWord[] {
  const places = new Places(first);
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
    // Where one look has several words for one of the other, letters are compared, each with its part.
    const theirs = others.reduce((sum, other) => sum + certainLetters([other]) / (parts.get(other) ?? 1), 0);
    if (others.length > 0 && certainLetters([word]) <= theirs * (1 + margin)) continue;
    for (const other of others) dropped.add(other);
    added.push({ ...word, line: word.line + lines });
  }
  return [...first.filter((word) => !dropped.has(word)), ...added];
}

/** How far beside a word's box its ink may lie, inches. */
const REACH = 0.02;
/** Squares, in inches, of the map of what words cover; larger on pages that would need more than so many. */
const CELL = 0.02;
const MOST_CELLS = 4_000_000;

/** Ink that no word covers. */
export interface StrayInk {
  share: number;
  pieces: number;
  /** The middles of its pieces, in the ink's coordinates, and how much ink each is. */
  middles: { x: number; y: number; ink: number }[];
  /** Around the middles of its pieces, in the ink's coordinates; nothing where there is none. */
  bounds: Box | undefined;
}

/**
 * The ink whose pieces lie in no word's box.
 * @param ink of each piece its middle and amount (x, y, ink)
 * @param dpi pixels per inch of the ink's coordinates
 */
export function strayInk(ink: Float32Array, dpi: number, words: readonly ReadWord[]): StrayInk {
  let [width, height] = [0, 0];
  for (let at = 0; at + 2 < ink.length; at += 3) {
    width = Math.max(width, (ink[at] ?? 0) / dpi);
    height = Math.max(height, (ink[at + 1] ?? 0) / dpi);
  }
  const cell = Math.max(CELL, Math.sqrt((width * height) / MOST_CELLS));
  const [across, down] = [Math.ceil(width / cell) + 1, Math.ceil(height / cell) + 1];
  const covered = new Uint8Array(across * down);
  for (const { box } of words) {
    const left = Math.max(Math.floor((box.left - REACH) / cell), 0);
    const right = Math.min(Math.ceil((box.right + REACH) / cell), across);
    const bottom = Math.min(Math.ceil((box.bottom + REACH) / cell), down);
    for (let row = Math.max(Math.floor((box.top - REACH) / cell), 0); row < bottom; row += 1) {
      if (right > left) covered.fill(1, row * across + left, row * across + right);
    }
  }
  let [all, stray] = [0, 0];
  const middles: StrayInk["middles"] = [];
  let bounds: Box | undefined;
  for (let at = 0; at + 2 < ink.length; at += 3) {
    const amount = ink[at + 2] ?? 0;
    all += amount;
    const [x, y] = [ink[at] ?? 0, ink[at + 1] ?? 0];
    if (covered[Math.floor(y / dpi / cell) * across + Math.floor(x / dpi / cell)] === 1) continue;
    stray += amount;
    middles.push({ x, y, ink: amount });
    bounds ??= { left: x, top: y, right: x, bottom: y };
    bounds.left = Math.min(bounds.left, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.right = Math.max(bounds.right, x);
    bounds.bottom = Math.max(bounds.bottom, y);
  }
  return { share: all === 0 ? 0 : stray / all, pieces: middles.length, middles, bounds };
}
