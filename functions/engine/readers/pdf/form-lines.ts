/**
 * Words to lines: one row per baseline, its word parts joined, cut into lines where the gap is a column's. Points, along
 * the text's own direction.
 */

import { isTickMark } from "../../layout/checkbox-characters.ts";
import { median, middleY, spanOverlap, unionBox } from "../../layout/geometry.ts";
import type { PlacedWord } from "./form-words.ts";

/** Words on one row without a wide gap, in reading order. */
export interface PlacedLine {
  words: PlacedWord[];
  /** Type size of most of it. */
  size: number;
}

/** All in ems. */
const SAME_BASELINE = 0.35;
/** Parts of a word that were drawn apart from each other. */
const JOIN_GAP = 0.1;
/** Two words this near belong to one line; beyond COLUMN_GAP they never do; between, a real space decides. */
const WORD_SPACE = 0.9;
const COLUMN_GAP = 1.5;
/** A raised or lowered word this near belongs to its neighbour's row. */
const SCRIPT_GAP = 0.5;
const SCRIPT_SIZE = 0.85;
const LEADER_GAP = 1.5;
/**
 * Letters drawn apart up to so wide are one word where the row's own spaces are at least so many times wider: small
 * capitals and hand-kerned titles. A number or mark before a word may stand as near and is none of it.
 */
const LOOSE_GAP = 0.15;
const SPACE_RATIO = 1.6;
/** The same where a row has no space to compare with: half of the narrowest that is usual. */
const UNKNOWN_GAP = 0.12;
const ENDS_IN_LETTER = /\p{L}$/u;
const BEGINS_SMALL = /^\p{Ll}/u;
/** Words with the same text overlap by so much of their width when one is a shadow of the other. */
const SHADOW = 0.8;

/** Dots drawn one by one join to a leader; runs of other marks are leaders already. */
const DOTS = /^[.·‧…]+$/u;
const LEADER = /^(?:[.·‧…]+|_{4,}|-{4,}|={4,})$/u;

interface Row {
  baseline: number;
  size: number;
  words: PlacedWord[];
}

function groupRows(words: readonly PlacedWord[]): Row[] {
  const rows: Row[] = [];
  for (const word of [...words].sort((a, b) => a.baseline - b.baseline || a.first - b.first)) {
    const row = rows.at(-1);
    if (row !== undefined && word.baseline - row.baseline <= SAME_BASELINE * Math.min(word.size, row.size)) {
      row.words.push(word);
      row.size = Math.max(row.size, word.size);
    } else {
      rows.push({ baseline: word.baseline, size: word.size, words: [word] });
    }
  }
  return rows;
}

/** Whether a smaller word leans on a word of the row: beside it, and within its height. */
function leansOn(word: PlacedWord, row: Row): boolean {
  const middle = middleY(word.box);
  return row.words.some((one) => {
    if (word.size > SCRIPT_SIZE * one.size || middle < one.box.top || middle > one.box.bottom) return false;
    const gap = Math.max(word.box.left - one.box.right, one.box.left - word.box.right);
    return gap < SCRIPT_GAP * one.size && gap > -SCRIPT_GAP * one.size;
  });
}

/** Moves exponents and the like to the row that they belong to. */
function adoptScripts(rows: Row[]): Row[] {
  rows.forEach((row, index) => {
    const neighbours = [rows[index - 1], rows[index + 1]].filter((one) => one !== undefined && one.size > row.size);
    if (neighbours.length === 0) return;
    row.words = row.words.filter((word) => {
      const host = neighbours.find((one) => one !== undefined && leansOn(word, one));
      host?.words.push(word);
      return host === undefined;
    });
  });
  return rows.filter((row) => row.words.length > 0);
}

const isShadow = (word: PlacedWord, of: PlacedWord): boolean =>
  word.text === of.text &&
  spanOverlap(word.box.left, word.box.right, of.box.left, of.box.right) >=
    SHADOW * Math.max(word.box.right - word.box.left, of.box.right - of.box.left);

const gapInEms = (a: PlacedWord, b: PlacedWord): number => (b.box.left - a.box.right) / Math.max(a.size, b.size);

/** The widest gap inside a word of this row: its real spaces tell how loosely it is set. */
function wordGap(words: readonly PlacedWord[]): number {
  const spaces = words.flatMap((word, index) => {
    const before = words[index - 1];
    const gap = before === undefined ? 0 : gapInEms(before, word);
    return word.spaced && gap > JOIN_GAP && gap < WORD_SPACE ? [gap] : [];
  });
  return spaces.length === 0 ? UNKNOWN_GAP : Math.max(JOIN_GAP, Math.min(LOOSE_GAP, median(spaces) / SPACE_RATIO));
}

/** Whether two parts stand as near as the parts of one word do. @param widest in their row, worked out when it matters */
function isNear(a: PlacedWord, b: PlacedWord, widest: () => number): boolean {
  const gap = gapInEms(a, b);
  if (gap < JOIN_GAP || gap >= LOOSE_GAP) return gap < JOIN_GAP;
  return ENDS_IN_LETTER.test(a.text) && BEGINS_SMALL.test(b.text) && gap < widest();
}

const joinable = (a: PlacedWord, b: PlacedWord, widest: () => number): boolean => {
  const gap = gapInEms(a, b);
  if (a.rtl || b.rtl || gap < -JOIN_GAP) return false;
  if (DOTS.test(a.text) && DOTS.test(b.text)) return gap < LEADER_GAP;
  return (
    !b.spaced &&
    !a.hyphen &&
    // Boxes to tick stand by themselves, however near their label is.
    !isTickMark(a.text) &&
    Math.abs(a.baseline - b.baseline) < JOIN_GAP * a.size &&
    Math.abs(a.size - b.size) < JOIN_GAP * a.size &&
    LEADER.test(a.text) === LEADER.test(b.text) &&
    isNear(a, b, widest)
  );
};

function join(a: PlacedWord, b: PlacedWord): PlacedWord {
  const box = unionBox([a.box, b.box]);
  return { ...a, text: a.text + b.text, box, bold: a.bold && b.bold, hyphen: b.hyphen, last: b.last };
}

/** The row's words from left to right, with parts joined and shadows dropped. */
function settleRow(row: Row): PlacedWord[] {
  const settled: PlacedWord[] = [];
  row.words.sort((a, b) => a.box.left - b.box.left || a.first - b.first);
  let known: number | undefined;
  const widest = (): number => {
    known ??= wordGap(row.words);
    return known;
  };
  for (const word of row.words) {
    const before = settled.at(-1);
    if (before !== undefined && isShadow(word, before)) before.bold = true;
    else if (before !== undefined && joinable(before, word, widest)) settled[settled.length - 1] = join(before, word);
    else settled.push(word);
  }
  return settled;
}

function belongs(before: PlacedWord, word: PlacedWord): boolean {
  const gap = (word.box.left - before.box.right) / Math.max(before.size, word.size);
  if (gap <= WORD_SPACE) return true;
  if (gap > COLUMN_GAP) return false;
  const [earlier, later] = before.first < word.first ? [before, word] : [word, before];
  return later.spaced && later.first === earlier.last + 1;
}

function makeLine(words: PlacedWord[]): PlacedLine {
  const rtl = words.reduce((sum, word) => sum + (word.rtl ? word.text.length : -word.text.length), 0) > 0;
  return { words: rtl ? words.reverse() : words, size: median(words.map((word) => word.size)) };
}

/** Lines from top to bottom, those of one row from left to right. */
export function formLines(words: readonly PlacedWord[]): PlacedLine[] {
  const lines: PlacedLine[] = [];
  for (const row of adoptScripts(groupRows(words))) {
    let line: PlacedWord[] = [];
    for (const word of settleRow(row)) {
      const before = line.at(-1);
      if (before !== undefined && !belongs(before, word)) {
        lines.push(makeLine(line));
        line = [];
      }
      line.push(word);
    }
    if (line.length > 0) lines.push(makeLine(line));
  }
  return lines;
}
