/**
 * Characters to words, by geometry. Everything here runs along the text's own direction: x to the right along the
 * baseline, y downwards, points (frames.ts turns other directions into this one and back).
 */
import type { Box } from "../layout.ts";
import type { Glyph } from "./glyphs.ts";

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
export function lineBox({ box, origin, style }: Glyph): Box {
  const { size } = style;
  const top = Math.min(Math.max(box.top, origin.y - 1.05 * size), origin.y - 0.5 * size);
  const bottom = Math.max(Math.min(box.bottom, origin.y + 0.4 * size), origin.y);
  if (box.right > box.left) return { left: box.left, right: box.right, top, bottom };
  return { left: origin.x, right: origin.x + 0.25 * size, top, bottom };
}

/** Gap from one glyph to the next in reading direction; far outside any word when the next stands elsewhere. */
function gapBetween(before: Glyph, after: Glyph): number {
  if (before.object === after.object && before.origin.x === after.origin.x) return 0;
  const rtl = startsRtl(after.text) || startsRtl(before.text);
  const forward = after.box.left + after.box.right >= before.box.left + before.box.right;
  if (forward) return after.box.left - before.box.right;
  return rtl ? before.box.left - after.box.right : after.box.left - before.box.right;
}

/** The gap above which words part in a run of letter-spaced glyphs; undefined for other runs. */
function trackingOf(glyphs: readonly Glyph[], start: number, end: number): number | undefined {
  if (end - start < 4) return undefined;
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
  return most + WORD_GAP;
}

/** The gap above which words part, for every glyph of the runs that are letter-spaced. */
function findTracking(glyphs: readonly Glyph[]): Map<Glyph, number> {
  const limits = new Map<Glyph, number>();
  let start = 0;
  for (let index = 1; index <= glyphs.length; index += 1) {
    const glyph = glyphs[index];
    if (glyph !== undefined && glyph.object === glyphs[start]?.object && !glyph.spaced) continue;
    const limit = trackingOf(glyphs, start, index);
    if (limit !== undefined) for (const one of glyphs.slice(start, index)) limits.set(one, limit);
    start = index;
  }
  return limits;
}

function follows(before: Glyph, after: Glyph, limit: number): boolean {
  if (after.spaced || before.hyphen) return false;
  const em = Math.max(before.style.size, after.style.size);
  if (em > SIZE_RATIO * Math.min(before.style.size, after.style.size)) return false;
  if (Math.abs(after.origin.y - before.origin.y) > BASELINE_SHIFT * em) return false;
  const gap = gapBetween(before, after) / em;
  return gap <= limit && gap >= -OVERLAP;
}

function isOverprint(word: readonly Glyph[], glyph: Glyph): boolean {
  const reach = OVERPRINT * glyph.style.size;
  // Only the last few: a word may be a whole page of Chinese.
  return word
    .slice(-4)
    .some(
      (one) =>
        one.object !== glyph.object &&
        one.text === glyph.text &&
        Math.abs(one.origin.x - glyph.origin.x) < reach &&
        Math.abs(one.origin.y - glyph.origin.y) < reach,
    );
}

function placeWord(glyphs: readonly Glyph[], first: number, last: number): PlacedWord {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  let text = "";
  let size = 0;
  let bold = 0;
  let rtl = 0;
  for (const glyph of glyphs) {
    const own = lineBox(glyph);
    box.left = Math.min(box.left, own.left);
    box.top = Math.min(box.top, own.top);
    box.right = Math.max(box.right, own.right);
    box.bottom = Math.max(box.bottom, own.bottom);
    text += glyph.text;
    size = Math.max(size, glyph.style.size);
    if (glyph.style.bold) bold += 1;
    if (startsRtl(glyph.text)) rtl += 1;
  }
  return {
    text,
    box,
    baseline: glyphs[0]?.origin.y ?? 0,
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
  for (const { text } of glyphs) if (LEADER_MARKS.includes(text)) marks += 1;
  return marks >= 4;
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
  for (const [index, glyph] of glyphs.entries()) {
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
