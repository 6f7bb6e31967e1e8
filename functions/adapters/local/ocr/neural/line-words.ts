/** Makes words of a line's characters: parts them at spaces and wide gaps, and finds the box of each. */
import { mapBox } from "../../../../engine/imaging/affine.ts";
import { median, unionBox } from "../../../../engine/layout/geometry.ts";
import type { Box } from "../../../../ports/layout.ts";
import type { LineCrop } from "./line-crop.ts";
import { inkOfLine } from "./line-ink.ts";
import type { ReadCharacter } from "./line-recognition.ts";

/** A word in pixels of the picture. */
export interface LineWord {
  text: string;
  confidence: number;
  box: Box;
}

/**
 * Gap without ink that is a space though the network reads none: heights of the line, gaps between its letters, and
 * the distance of the letters' middles in usual distances, by which an l or 1 in type of one width is no space. Of 681
 * spaces of letters that were read on fourteen pictures, 611 are so wide.
 */
const MIN_SPACE_HEIGHTS = 0.22;
const MIN_SPACE_GAPS = 2.5;
const MIN_SPACE_DISTANCES = 1.3;
/** The same heights between figures, and beside the point of a number, which stands apart on some printers. */
const MIN_FIGURE_SPACE_HEIGHTS = 0.28;
const MIN_POINT_SPACE_HEIGHTS = 0.45;
const FIGURE = /\d/u;
const FIGURE_OR_POINT = /[\d.,]/u;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Signs of Chinese text that are no full-width forms of ASCII. */
const CHINESE_SIGNS: Readonly<Record<string, string>> = { "。": ".", "、": ",", "“": '"', "”": '"', "　": " " };

/** Full-width forms as the letters and signs that they are forms of, in a line without Chinese letters. */
function toNarrow(characters: readonly ReadCharacter[]): ReadCharacter[] {
  if (characters.some(({ text }) => CJK.test(text))) return [...characters];
  return characters.map((character) => ({
    ...character,
    text: CHINESE_SIGNS[character.text] ?? character.text.normalize("NFKC"),
  }));
}

/** A run of columns without ink. */
interface Gap {
  start: number;
  end: number;
}

/** The widest gap in the ink between two places; empty in the middle where there is none. */
function widestGap(covered: Uint8Array, from: number, to: number): Gap {
  const middle = Math.round((from + to) / 2);
  let widest: Gap = { start: middle, end: middle };
  for (let at = Math.max(Math.round(from), 0); at < to; at += 1) {
    if (covered[at] !== 0) continue;
    const start = at;
    while (at < to && covered[at] === 0) at += 1;
    if (at - start > widest.end - widest.start) widest = { start, end: at };
  }
  return widest;
}

const widthOf = ({ start, end }: Gap): number => end - start;

/** Columns with ink. */
function coveredColumns(ink: readonly Box[], width: number): Uint8Array {
  const covered = new Uint8Array(width);
  for (const { left, right } of ink) covered.fill(1, left, right);
  return covered;
}

/** Least gap that may be a space between two characters, in heights of the line. */
function leastSpace(a: string, b: string): number {
  if (FIGURE.test(a) && FIGURE.test(b)) return MIN_FIGURE_SPACE_HEIGHTS;
  return FIGURE_OR_POINT.test(a) && FIGURE_OR_POINT.test(b) ? MIN_POINT_SPACE_HEIGHTS : MIN_SPACE_HEIGHTS;
}

/** Test for gaps that are spaces though none is read. */
function spaceTest(letters: readonly ReadCharacter[], gaps: readonly Gap[], height: number): (at: number) => boolean {
  const usualGap = median(gaps.slice(0, -1).map(widthOf));
  const distances = letters.slice(1).map(({ x }, at) => x - (letters[at]?.x ?? 0));
  const usualDistance = median(distances);
  return (at) => {
    const gap = widthOf(gaps[at] ?? { start: 0, end: 0 });
    const least = leastSpace(letters[at]?.text ?? "", letters[at + 1]?.text ?? "") * height;
    const isFar = (distances[at] ?? 0) >= MIN_SPACE_DISTANCES * usualDistance;
    return isFar && gap >= Math.max(least, MIN_SPACE_GAPS * usualGap);
  };
}

/** Parts characters into words. @returns the characters of each, and the gap behind it */
function partWords(characters: readonly ReadCharacter[], covered: Uint8Array, height: number) {
  const letters = characters.filter(({ text }) => text.trim() !== "");
  const gaps = letters.map(({ x }, at) => widestGap(covered, x, letters[at + 1]?.x ?? covered.length));
  const isSpace = spaceTest(letters, gaps, height);
  const spaces = new Set(characters.filter((_, at) => characters[at + 1]?.text.trim() === ""));
  const words: { letters: ReadCharacter[]; behind: Gap }[] = [];
  let word: ReadCharacter[] = [];
  for (const [at, letter] of letters.entries()) {
    word.push(letter);
    if (at < letters.length - 1 && !spaces.has(letter) && !isSpace(at)) continue;
    words.push({ letters: word, behind: gaps[at] ?? { start: 0, end: 0 } });
    word = [];
  }
  return words;
}

/** The words of a line. */
export function wordsOfLine({ gray, toPicture }: LineCrop, characters: readonly ReadCharacter[]): LineWord[] {
  const ink = inkOfLine(gray);
  const words = partWords(toNarrow(characters), coveredColumns(ink, gray.width), gray.height);
  let left = 0;
  return words.map(({ letters, behind }, at) => {
    const right = at === words.length - 1 ? gray.width : (behind.start + behind.end) / 2;
    const own = ink.filter((box) => (box.left + box.right) / 2 >= left && (box.left + box.right) / 2 < right);
    const whole = { left, top: 0, right, bottom: gray.height };
    const box = mapBox(own.length === 0 ? whole : unionBox(own), toPicture);
    left = right;
    return {
      text: letters.map(({ text }) => text).join(""),
      confidence: letters.reduce((sum, { confidence }) => sum + confidence, 0) / letters.length,
      box,
    };
  });
}
