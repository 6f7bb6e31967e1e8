/**
 * Words to lines: one row a baseline, its word parts joined, split into lines at column gaps. In points, along the
 * text's own direction.
 */
import { isCheckboxCharacter } from "../../layout/checkbox-characters.ts";
import { median, middleY, spanOverlap, unionBox } from "../../layout/geometry.ts";
import { sortedByNumber } from "../../layout/sort-by-number.ts";
import type { PlacedWord } from "./form-words.ts";

/** Words on one row without a wide gap, in reading order. */
export interface PlacedLine {
  words: PlacedWord[];
  /** Type size of most of its words. */
  size: number;
}

/** Limits in ems. Baselines of one row differ by no more. */
const MAX_BASELINE_SHIFT_EM = 0.35;
/** Gap between parts of one word that were drawn separately. */
const MAX_JOIN_GAP_EM = 0.1;
/**
 * Gap between words of one line: always up to the first, never beyond the second; in between only with a real space.
 */
const MAX_WORD_SPACE_EM = 0.9;
const MAX_LINE_GAP_EM = 1.5;
/** Gap between a raised or lowered word and its neighbour, and its size relative to the neighbour. */
const MAX_SCRIPT_GAP_EM = 0.5;
const MAX_SCRIPT_SIZE_SHARE = 0.85;
const MAX_LEADER_GAP_EM = 1.5;
/**
 * Wider gaps within a word, for small capitals and hand-kerned titles: allowed where the row's own spaces are this many
 * times wider. A number or mark before a word may stand as near and stays separate.
 */
const MAX_LOOSE_GAP_EM = 0.15;
const MIN_SPACE_TO_GAP_RATIO = 1.6;
/** The limit where a row has no space to compare with: half of the narrowest usual space. */
const DEFAULT_LOOSE_GAP_EM = 0.12;
const ENDS_IN_LETTER = /\p{L}$/u;
const BEGINS_SMALL = /^\p{Ll}/u;
/** Words with the same text are a word and its shadow when they overlap by this share of their width. */
const MIN_SHADOW_OVERLAP_SHARE = 0.8;

/** Dots drawn one by one join to a leader; runs of other marks are leaders already. */
const DOTS = /^[.·‧…]+$/u;
const LEADER = /^(?:[.·‧…]+|_{4,}|-{4,}|={4,})$/u;

interface BaselineRow {
  baseline: number;
  size: number;
  words: PlacedWord[];
}

/** @param words in content order */
function groupRows(words: readonly PlacedWord[]): BaselineRow[] {
  const rows: BaselineRow[] = [];
  for (const word of sortedByNumber(words, ({ baseline }) => baseline)) {
    const row = rows.at(-1);
    if (row !== undefined && word.baseline - row.baseline <= MAX_BASELINE_SHIFT_EM * Math.min(word.size, row.size)) {
      row.words.push(word);
      row.size = Math.max(row.size, word.size);
    } else {
      rows.push({ baseline: word.baseline, size: word.size, words: [word] });
    }
  }
  return rows;
}

/** Tells whether a smaller word is an exponent or index of a word of the row: beside it, and within its height. */
function isScriptOf(word: PlacedWord, row: BaselineRow): boolean {
  const middle = middleY(word.box);
  return row.words.some((one) => {
    if (word.size > MAX_SCRIPT_SIZE_SHARE * one.size || middle < one.box.top || middle > one.box.bottom) return false;
    const gap = Math.max(word.box.left - one.box.right, one.box.left - word.box.right);
    return gap < MAX_SCRIPT_GAP_EM * one.size && gap > -MAX_SCRIPT_GAP_EM * one.size;
  });
}

/** Moves exponents and indices to the row they belong to. */
function moveScripts(rows: BaselineRow[]): BaselineRow[] {
  rows.forEach((row, index) => {
    const neighbours = [rows[index - 1], rows[index + 1]].filter((one) => one !== undefined && one.size > row.size);
    if (neighbours.length === 0) return;
    row.words = row.words.filter((word) => {
      const host = neighbours.find((one) => one !== undefined && isScriptOf(word, one));
      host?.words.push(word);
      return host === undefined;
    });
  });
  return rows.filter((row) => row.words.length > 0);
}

const isShadow = (word: PlacedWord, of: PlacedWord): boolean =>
  word.text === of.text &&
  spanOverlap(word.box.left, word.box.right, of.box.left, of.box.right) >=
    MIN_SHADOW_OVERLAP_SHARE * Math.max(word.box.right - word.box.left, of.box.right - of.box.left);

const gapInEms = (a: PlacedWord, b: PlacedWord): number => (b.box.left - a.box.right) / Math.max(a.size, b.size);

/** The widest gap inside a word of this row, from the width of its real spaces. */
function maxWordGap(words: readonly PlacedWord[]): number {
  const spaces = words.flatMap((word, index) => {
    const before = words[index - 1];
    const gap = before === undefined ? 0 : gapInEms(before, word);
    return word.spaced && gap > MAX_JOIN_GAP_EM && gap < MAX_WORD_SPACE_EM ? [gap] : [];
  });
  return spaces.length === 0
    ? DEFAULT_LOOSE_GAP_EM
    : Math.max(MAX_JOIN_GAP_EM, Math.min(MAX_LOOSE_GAP_EM, median(spaces) / MIN_SPACE_TO_GAP_RATIO));
}

/**
 * Tells whether two parts stand as near as parts of one word. @param widest the widest gap of the row, computed on
 * demand
 */
function isOneWord(a: PlacedWord, b: PlacedWord, widest: () => number): boolean {
  const gap = gapInEms(a, b);
  if (gap < MAX_JOIN_GAP_EM || gap >= MAX_LOOSE_GAP_EM) return gap < MAX_JOIN_GAP_EM;
  return ENDS_IN_LETTER.test(a.text) && BEGINS_SMALL.test(b.text) && gap < widest();
}

const canJoin = (a: PlacedWord, b: PlacedWord, widest: () => number): boolean => {
  const gap = gapInEms(a, b);
  if (a.rtl || b.rtl || gap < -MAX_JOIN_GAP_EM) return false;
  if (DOTS.test(a.text) && DOTS.test(b.text)) return gap < MAX_LEADER_GAP_EM;
  return (
    !b.spaced &&
    !a.hyphen &&
    // Checkboxes stand alone, however near their label is.
    !isCheckboxCharacter(a.text) &&
    Math.abs(a.baseline - b.baseline) < MAX_JOIN_GAP_EM * a.size &&
    Math.abs(a.size - b.size) < MAX_JOIN_GAP_EM * a.size &&
    LEADER.test(a.text) === LEADER.test(b.text) &&
    isOneWord(a, b, widest)
  );
};

function joinWords(a: PlacedWord, b: PlacedWord): PlacedWord {
  return {
    ...a,
    text: a.text + b.text,
    box: unionBox([a.box, b.box]),
    bold: a.bold && b.bold,
    hyphen: b.hyphen,
    last: b.last,
  };
}

/** The row's words from left to right, with parts joined and shadows dropped. */
function joinRowWords(row: BaselineRow): PlacedWord[] {
  const joined: PlacedWord[] = [];
  const inContentOrder = sortedByNumber(row.words, ({ first }) => first);
  const words = sortedByNumber(inContentOrder, ({ box }) => box.left);
  let known: number | undefined;
  const widest = (): number => {
    known ??= maxWordGap(words);
    return known;
  };
  for (const word of words) {
    const before = joined.at(-1);
    if (before !== undefined && isShadow(word, before)) before.bold = true;
    else if (before !== undefined && canJoin(before, word, widest)) joined[joined.length - 1] = joinWords(before, word);
    else joined.push(word);
  }
  return joined;
}

function isSameLine(before: PlacedWord, word: PlacedWord): boolean {
  const gap = (word.box.left - before.box.right) / Math.max(before.size, word.size);
  if (gap <= MAX_WORD_SPACE_EM) return true;
  if (gap > MAX_LINE_GAP_EM) return false;
  const [earlier, later] = before.first < word.first ? [before, word] : [word, before];
  return later.spaced && later.first === earlier.last + 1;
}

function makeLine(words: PlacedWord[]): PlacedLine {
  const rtl = words.reduce((sum, word) => sum + (word.rtl ? word.text.length : -word.text.length), 0) > 0;
  return { words: rtl ? words.reverse() : words, size: median(words.map((word) => word.size)) };
}

/** Forms lines from top to bottom; lines of one row from left to right. */
export function formLines(words: readonly PlacedWord[]): PlacedLine[] {
  const lines: PlacedLine[] = [];
  for (const row of moveScripts(groupRows(words))) {
    let line: PlacedWord[] = [];
    for (const word of joinRowWords(row)) {
      const before = line.at(-1);
      if (before !== undefined && !isSameLine(before, word)) {
        lines.push(makeLine(line));
        line = [];
      }
      line.push(word);
    }
    if (line.length > 0) lines.push(makeLine(line));
  }
  return lines;
}
