/**
 * Characters to words, by geometry. Everything here runs along the text's own direction: x to the right along the
 * baseline, y downwards, points (frames.ts turns other directions into this one and back).
 */
import type { Box } from "../../../ports/layout.ts";
import type { Glyph } from "./glyph.ts";

/** A word, or a part of one until the parts on its row are known. */
export interface PlacedWord {
  text: string;
  box: Box;
  baseline: number;
  size: number;
  bold: boolean;
  rtl: boolean;
  /** White space stands before it in the content. */
  spaced: boolean;
  /** Ends with a hyphen at a line's end. */
  hyphen: boolean;
  /** Positions of its first and last glyph in the content. */
  first: number;
  last: number;
}

/** In ems. A wider gap between two glyphs parts words; spaces are above 0.2, kerning is below. */
const WORD_GAP = 0.1;
/** Glyphs may overlap by so much (kerning, accents) and still follow each other. */
const OVERLAP = 0.5;
/** A glyph on another baseline (an exponent, a footnote mark) begins another word. */
const BASELINE_SHIFT = 0.12;
const SIZE_RATIO = 1.6;
/** Letter-spaced text: equal gaps between all its glyphs, wider than WORD_GAP and up to this. */
const TRACKING = 0.6;
const TRACKING_SPREAD = 0.15;
/** The same glyph drawn again so near is a printer's bold, not a second letter. */
const OVERPRINT = 0.1;

const RTL = /^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Rows of dots, lines and dashes that lead the eye; four at least, three are an ellipsis. */
const LEADER = /[.·‧…]{4,}|_{4,}|-{4,}|={4,}/gu;

const LEADER_MARKS = ".·‧…_-=";

const startsRtl = (text: string): boolean => text.charCodeAt(0) >= 0x590 && RTL.test(text);

/** The line's height at a glyph: fonts that state none, or far too much, get what type usually takes. */
const lineTop = ({ top, y, style: { size } }: Glyph): number =>
  Math.min(Math.max(top, y - 1.05 * size), y - 0.5 * size);
const lineBottom = ({ bottom, y, style: { size } }: Glyph): number => Math.max(Math.min(bottom, y + 0.4 * size), y);

/** Gap from one glyph to the next in reading direction; far outside any word when the next stands elsewhere. */
function gapBetween(before: Glyph, after: Glyph): number {
  if (before.object === after.object && before.x === after.x) return 0;
  const rtl = startsRtl(after.text) || startsRtl(before.text);
  const forward = after.left + after.right >= before.left + before.right;
  if (forward) return after.left - before.right;
  return rtl ? before.left - after.right : after.left - before.right;
}

/** Glyphs of one object without a space between them, all as far apart as letters of letter-spaced text are. */
interface TrackedRun {
  start: number;
  end: number;
  /** Gaps in ems. */
  least: number;
  most: number;
}

/** Gaps that tell tracking from chance: those of a word of four letters, or of shorter ones on the same line. */
const LEAST_GAPS = 3;

function trackedRun(glyphs: readonly Glyph[], start: number, end: number): TrackedRun | undefined {
  let least = Infinity;
  let most = -Infinity;
  for (let index = start + 1; index < end; index += 1) {
    const [before, after] = [glyphs[index - 1], glyphs[index]];
    if (before === undefined || after === undefined) continue;
    const gap = gapBetween(before, after) / after.style.size;
    least = Math.min(least, gap);
    most = Math.max(most, gap);
    if (least <= WORD_GAP || most >= TRACKING || most - least >= TRACKING_SPREAD) return undefined;
  }
  return { start, end, least, most };
}

/** The runs of one line together, where all of it has even gaps, and enough to tell; else those that tell by themselves. */
function trackedTogether(runs: readonly TrackedRun[], mixed: boolean): (readonly TrackedRun[])[] {
  const gapsOf = ({ start, end }: TrackedRun): number => end - start - 1;
  const least = Math.min(...runs.map((run) => run.least));
  const most = Math.max(...runs.map((run) => run.most));
  const gaps = runs.reduce((sum, run) => sum + gapsOf(run), 0);
  if (!mixed && most - least < TRACKING_SPREAD) return gaps >= LEAST_GAPS ? [runs] : [];
  return runs.filter((run) => gapsOf(run) >= LEAST_GAPS).map((run) => [run]);
}

const isOneLine = (a: Glyph, b: Glyph): boolean =>
  a.style.size === b.style.size && Math.abs(a.y - b.y) <= BASELINE_SHIFT * a.style.size;

/** The gap above which words part, for every glyph of the runs that are letter-spaced. */
function findTracking(glyphs: readonly Glyph[]): Map<Glyph, number> {
  const limits = new Map<Glyph, number>();
  let line: { first: Glyph | undefined; runs: TrackedRun[]; mixed: boolean } = {
    first: glyphs[0],
    runs: [],
    mixed: false,
  };
  const finish = (): void => {
    if (line.runs.length === 0) return;
    for (const runs of trackedTogether(line.runs, line.mixed)) {
      const limit = Math.max(...runs.map((run) => run.most)) + WORD_GAP;
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

function follows(before: Glyph, after: Glyph, limit: number): boolean {
  if (after.spaced || before.hyphen) return false;
  const em = Math.max(before.style.size, after.style.size);
  if (em > SIZE_RATIO * Math.min(before.style.size, after.style.size)) return false;
  if (Math.abs(after.y - before.y) > BASELINE_SHIFT * em) return false;
  const gap = gapBetween(before, after) / em;
  return gap <= limit && gap >= -OVERLAP;
}

function isOverprint(word: readonly Glyph[], glyph: Glyph): boolean {
  const reach = OVERPRINT * glyph.style.size;
  // Only the last few: a word may be a whole page of Chinese.
  for (let at = Math.max(word.length - 4, 0); at < word.length; at += 1) {
    const one = word[at];
    if (
      one !== undefined &&
      one.object !== glyph.object &&
      one.text === glyph.text &&
      Math.abs(one.x - glyph.x) < reach &&
      Math.abs(one.y - glyph.y) < reach
    )
      return true;
  }
  return false;
}

function placeWord(glyphs: readonly Glyph[], first: number, last: number): PlacedWord {
  // Every character comes here: numbers by themselves cost no memory, a box for each would.
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  let text = "";
  let size = 0;
  let bold = 0;
  let rtl = 0;
  for (const glyph of glyphs) {
    const { style } = glyph;
    const isWide = glyph.right > glyph.left;
    left = Math.min(left, isWide ? glyph.left : glyph.x);
    right = Math.max(right, isWide ? glyph.right : glyph.x + 0.25 * style.size);
    top = Math.min(top, lineTop(glyph));
    bottom = Math.max(bottom, lineBottom(glyph));
    text += glyph.text;
    size = Math.max(size, style.size);
    if (style.bold) bold += 1;
    if (startsRtl(glyph.text)) rtl += 1;
  }
  return {
    text,
    box: { left, top, right, bottom },
    baseline: glyphs[0]?.y ?? 0,
    size,
    bold: 2 * bold > glyphs.length,
    rtl: 2 * rtl > glyphs.length,
    spaced: glyphs[0]?.spaced ?? false,
    hyphen: glyphs.at(-1)?.hyphen ?? false,
    first,
    last,
  };
}

/** Whether there may be a leader: looked at for every word, so without making text of it. */
function mayLead(glyphs: readonly Glyph[]): boolean {
  let marks = 0;
  for (const { text } of glyphs) {
    if (LEADER_MARKS.includes(text)) marks += 1;
    if (marks >= 4) return true;
  }
  return false;
}

/** `Total.....5.00` → `Total` + `.....` + `5.00` */
function cutLeaders(glyphs: readonly Glyph[]): (readonly Glyph[])[] {
  if (glyphs.length < 4 || !mayLead(glyphs)) return [glyphs];
  const cuts: number[] = [0];
  for (const match of glyphs
    .map((glyph) => glyph.text[0])
    .join("")
    .matchAll(LEADER)) {
    cuts.push(match.index, match.index + match[0].length);
  }
  cuts.push(glyphs.length);
  return cuts
    .slice(1)
    .map((end, at) => glyphs.slice(cuts[at], end))
    .filter((part) => part.length > 0);
}

/** Words of glyphs that all run in one direction, in content order. */
export function formWords(glyphs: readonly Glyph[]): PlacedWord[] {
  const tracking = findTracking(glyphs);
  const words: PlacedWord[] = [];
  let word: Glyph[] = [];
  let first = 0;
  const finish = (): void => {
    let at = first;
    for (const part of cutLeaders(word)) {
      words.push(placeWord(part, at, at + part.length - 1));
      at += part.length;
    }
    word = [];
  };
  for (let index = 0; index < glyphs.length; index += 1) {
    const glyph = glyphs[index];
    if (glyph === undefined) continue;
    const before = word.at(-1);
    if (before !== undefined) {
      if (isOverprint(word, glyph)) continue;
      if (!follows(before, glyph, tracking.get(glyph) ?? WORD_GAP)) finish();
    }
    if (word.length === 0) first = index;
    word.push(glyph);
  }
  if (word.length > 0) finish();
  return words;
}
