/**
 * Characters to words, by geometry. Coordinates run along the text's own direction: x to the right along the baseline,
 * y downwards, in points (text-directions.ts rotates other directions into this one and back).
 */
import type { Box } from "../../../ports/layout.ts";
import { type Glyph, startsRightToLeft } from "./glyph.ts";

/** A word, or a part of one until the parts on its row are joined. */
export interface PlacedWord {
  text: string;
  box: Box;
  baseline: number;
  size: number;
  bold: boolean;
  rtl: boolean;
  /** White space stands before it in the content. */
  spaced: boolean;
  /** Ends with a hyphen that divides a word at the end of a line. */
  hyphen: boolean;
  /** Indices of its first and last glyph in the content. */
  first: number;
  last: number;
}

/** Limits in ems. A wider gap between two glyphs separates words: spaces are above 0.2, kerning is below. */
const MIN_WORD_GAP_EM = 0.1;
/** Overlap of consecutive glyphs (kerning, accents). */
const MAX_OVERLAP_EM = 0.5;
/** A glyph on another baseline (an exponent, a footnote mark) begins a new word. */
const MAX_BASELINE_SHIFT_EM = 0.12;
const MAX_SIZE_RATIO = 1.6;
/** Letter-spaced text: even gaps between all its glyphs, wider than MIN_WORD_GAP_EM and up to this. */
const MAX_TRACKING_EM = 0.6;
const MAX_TRACKING_SPREAD_EM = 0.15;
/** The same glyph drawn again this near is a printer's bold, not a second letter. */
const MAX_OVERPRINT_SHIFT_EM = 0.1;
/** Rows of dots, underscores and dashes that lead the eye; at least four, because three are an ellipsis. */
const LEADER_RUN = /[.·‧…]{4,}|_{4,}|-{4,}|={4,}/gu;

const LEADER_MARKS = ".·‧…_-=";
/** Top of the line at a glyph. Fonts that state no height, or far too much, get the usual one. */
const lineTop = ({ top, y, style: { size } }: Glyph): number =>
  Math.min(Math.max(top, y - 1.05 * size), y - 0.5 * size);
const lineBottom = ({ bottom, y, style: { size } }: Glyph): number => Math.max(Math.min(bottom, y + 0.4 * size), y);

/** Gap from one glyph to the next in reading direction; far outside any word when the next stands elsewhere. */
function gapBetween(before: Glyph, after: Glyph): number {
  if (before.object === after.object && before.x === after.x) return 0;
  const rtl = startsRightToLeft(after.text) || startsRightToLeft(before.text);
  const forward = after.left + after.right >= before.left + before.right;
  if (forward) return after.left - before.right;
  return rtl ? before.left - after.right : after.left - before.right;
}

/** Glyphs of one object without a space between them, with the even gaps of letter-spaced text. */
interface TrackedRun {
  start: number;
  end: number;
  /** Smallest and largest gap in ems. */
  minGap: number;
  maxGap: number;
}

/**
 * Gaps that distinguish tracking from chance: those of a word of four letters, or of several shorter words on a line.
 */
const MIN_TRACKED_GAPS = 3;

function trackedRun(glyphs: readonly Glyph[], start: number, end: number): TrackedRun | undefined {
  let least = Infinity;
  let most = -Infinity;
  for (let index = start + 1; index < end; index += 1) {
    const [before, after] = [glyphs[index - 1], glyphs[index]];
    if (before === undefined || after === undefined) continue;
    const gap = gapBetween(before, after) / after.style.size;
    least = Math.min(least, gap);
    most = Math.max(most, gap);
    if (least <= MIN_WORD_GAP_EM || most >= MAX_TRACKING_EM || most - least >= MAX_TRACKING_SPREAD_EM) return undefined;
  }
  return { start, end, minGap: least, maxGap: most };
}

/**
 * Groups the tracked runs of one line: all together where the whole line has enough even gaps, else each run with
 * enough gaps by itself.
 */
function groupTrackedRuns(runs: readonly TrackedRun[], hasOtherRuns: boolean): (readonly TrackedRun[])[] {
  const gapsOf = ({ start, end }: TrackedRun): number => end - start - 1;
  const least = Math.min(...runs.map((run) => run.minGap));
  const most = Math.max(...runs.map((run) => run.maxGap));
  const gaps = runs.reduce((sum, run) => sum + gapsOf(run), 0);
  if (!hasOtherRuns && most - least < MAX_TRACKING_SPREAD_EM) return gaps >= MIN_TRACKED_GAPS ? [runs] : [];
  return runs.filter((run) => gapsOf(run) >= MIN_TRACKED_GAPS).map((run) => [run]);
}

const isOneLine = (a: Glyph, b: Glyph): boolean =>
  a.style.size === b.style.size && Math.abs(a.y - b.y) <= MAX_BASELINE_SHIFT_EM * a.style.size;

/** The gap above which words separate, for every glyph of a letter-spaced run. */
function trackingLimits(glyphs: readonly Glyph[]): Map<Glyph, number> {
  const limits = new Map<Glyph, number>();
  let line: { first: Glyph | undefined; runs: TrackedRun[]; mixed: boolean } = {
    first: glyphs[0],
    runs: [],
    mixed: false,
  };
  const finish = (): void => {
    if (line.runs.length === 0) return;
    for (const runs of groupTrackedRuns(line.runs, line.mixed)) {
      const limit = Math.max(...runs.map((run) => run.maxGap)) + MIN_WORD_GAP_EM;
      for (const { start, end } of runs) for (const one of glyphs.slice(start, end)) limits.set(one, limit);
    }
  };
  let start = 0;
  for (let index = 1; index <= glyphs.length; index += 1) {
    const [glyph, own] = [glyphs[index], glyphs[start]];
    if (own === undefined || (glyph !== undefined && glyph.object === own.object && !glyph.spaced)) continue;
    if (line.first !== undefined && !isOneLine(line.first, own)) {
      finish();
      line = { first: own, runs: [], mixed: false };
    }
    const run = index - start < 2 ? undefined : trackedRun(glyphs, start, index);
    if (run !== undefined) line.runs.push(run);
    else if (index - start > 1) line.mixed = true;
    start = index;
  }
  finish();
  return limits;
}

function continuesWord(before: Glyph, after: Glyph, limit: number): boolean {
  if (after.spaced || before.hyphen) return false;
  const em = Math.max(before.style.size, after.style.size);
  if (em > MAX_SIZE_RATIO * Math.min(before.style.size, after.style.size)) return false;
  if (Math.abs(after.y - before.y) > MAX_BASELINE_SHIFT_EM * em) return false;
  const gap = gapBetween(before, after) / em;
  return gap <= limit && gap >= -MAX_OVERLAP_EM;
}

/** @param glyphs `from` to before `to` make the word */
function placeWord(glyphs: readonly Glyph[], from: number, to: number, first: number): PlacedWord {
  // This runs for every character: plain numbers need no allocation, a box for each would.
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  let text = "";
  let size = 0;
  let bold = 0;
  let rtl = 0;
  for (let at = from; at < to; at += 1) {
    const glyph = glyphs[at];
    if (glyph === undefined) continue;
    const { style, left: start, right: end } = glyph;
    const isWide = end > start;
    left = Math.min(left, isWide ? start : glyph.x);
    right = Math.max(right, isWide ? end : glyph.x + 0.25 * style.size);
    top = Math.min(top, lineTop(glyph));
    bottom = Math.max(bottom, lineBottom(glyph));
    text += glyph.text;
    size = Math.max(size, style.size);
    if (style.bold) bold += 1;
    if (startsRightToLeft(glyph.text)) rtl += 1;
  }
  return {
    text,
    box: { left, top, right, bottom },
    baseline: glyphs[from]?.y ?? 0,
    size,
    bold: 2 * bold > to - from,
    rtl: 2 * rtl > to - from,
    spaced: glyphs[from]?.spaced ?? false,
    hyphen: glyphs[to - 1]?.hyphen ?? false,
    first,
    last: first + to - from - 1,
  };
}

/** Tells whether a word may hold a leader. It runs for every word, so it builds no text. */
function mayHoldLeader(glyphs: readonly Glyph[], length: number): boolean {
  let marks = 0;
  for (let at = 0; at < length; at += 1) {
    if (LEADER_MARKS.includes(glyphs[at]?.text ?? " ")) marks += 1;
    if (marks >= 4) return true;
  }
  return false;
}

/** Ends of the parts of a word: `Total.....5.00` → `Total` + `.....` + `5.00` */
function partEnds(glyphs: readonly Glyph[], length: number): number[] {
  const ends: number[] = [];
  const text = glyphs
    .slice(0, length)
    .map((glyph) => glyph.text[0])
    .join("");
  for (const match of text.matchAll(LEADER_RUN)) ends.push(match.index, match.index + match[0].length);
  return [...ends, length];
}

/** Collects the glyphs of one word after the other, in one list for all of them. */
class WordCollector {
  readonly words: PlacedWord[] = [];
  readonly #glyphs: Glyph[] = [];
  #length = 0;
  /** Index of the word's first glyph in the content. */
  #first = 0;

  /** @param index of the glyph in the content */
  add(glyph: Glyph, index: number, limit: number): void {
    if (this.#length > 0) {
      if (this.#isOverprint(glyph)) return;
      const before = this.#glyphs[this.#length - 1];
      if (before === undefined || !continuesWord(before, glyph, limit)) this.finish();
    }
    if (this.#length === 0) this.#first = index;
    this.#glyphs[this.#length] = glyph;
    this.#length += 1;
  }

  /** Ends the word, if there is one. */
  finish(): void {
    const [glyphs, length, first] = [this.#glyphs, this.#length, this.#first];
    this.#length = 0;
    if (length === 0) return;
    if (length < 4 || !mayHoldLeader(glyphs, length)) {
      this.words.push(placeWord(glyphs, 0, length, first));
      return;
    }
    let from = 0;
    for (const end of partEnds(glyphs, length)) {
      if (end > from) this.words.push(placeWord(glyphs, from, end, first + from));
      from = end;
    }
  }

  #isOverprint(glyph: Glyph): boolean {
    const maxShift = MAX_OVERPRINT_SHIFT_EM * glyph.style.size;
    // Only the last few: a word may be a whole page of Chinese.
    for (let at = Math.max(this.#length - 4, 0); at < this.#length; at += 1) {
      const one = this.#glyphs[at];
      if (
        one !== undefined &&
        one.object !== glyph.object &&
        one.text === glyph.text &&
        Math.abs(one.x - glyph.x) < maxShift &&
        Math.abs(one.y - glyph.y) < maxShift
      )
        return true;
    }
    return false;
  }
}

/** Forms words of glyphs of one direction, in content order. */
export function formWords(glyphs: readonly Glyph[]): PlacedWord[] {
  const tracking = trackingLimits(glyphs);
  const collector = new WordCollector();
  for (let index = 0; index < glyphs.length; index += 1) {
    const glyph = glyphs[index];
    if (glyph === undefined) continue;
    const limit = tracking.size === 0 ? undefined : tracking.get(glyph);
    collector.add(glyph, index, limit ?? MIN_WORD_GAP_EM);
  }
  collector.finish();
  return collector.words;
}
