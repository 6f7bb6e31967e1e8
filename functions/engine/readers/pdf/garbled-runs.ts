/**
 * Runs of characters without a meaning: the font shows type, but maps its codes to nothing, to private characters, or to
 * letters that form no words (meaningless-fonts.ts).
 * Fonts are judged separately, because the rest of the page may be in order. Bullets, icons and checkboxes come from
 * such fonts too, singly or repeated; text has different characters side by side.
 */
import type { Box } from "../../../ports/layout.ts";
import { unionBox } from "../../layout/geometry.ts";
import type { Glyph } from "./glyph.ts";
import { fontReader, meaninglessFonts } from "./meaningless-fonts.ts";
import { REPLACEMENT_CHARACTER } from "./page-glyphs.ts";
import type { PdfPage } from "./pdf-page.ts";
import { boxInInches } from "./points-to-inches.ts";

/** Consecutive characters, at least two of them different, that are certainly text. */
const MIN_TEXT_RUN_GLYPHS = 3;
/** Limits in ems. */
const MAX_GAP_EM = 0.6;
const MAX_BASELINE_SHIFT_EM = 0.3;
/** Adobe's pieces of large brackets, sums and integrals in fonts of mathematics. */
const BRACKET_PIECE = /^[\uf8e5-\uf8fe]$/;
/** A page with more runs is garbled as a whole. */
const MAX_RUNS = 1_000;

interface UnmappedRun {
  glyphs: Glyph[];
  font: number;
}

function continuesRun(before: Glyph, after: Glyph): boolean {
  const em = Math.max(before.style.size, after.style.size);
  const gap = Math.max(after.left - before.right, before.left - after.right);
  const verticalGap = Math.max(after.top - before.bottom, before.top - after.bottom);
  const isLevel = before.style.angle % 180 !== 0 || Math.abs(after.y - before.y) <= MAX_BASELINE_SHIFT_EM * em;
  return !after.spaced && gap <= MAX_GAP_EM * em && verticalGap <= MAX_GAP_EM * em && isLevel;
}

function findRuns(
  glyphs: readonly Glyph[],
  unmapped: readonly number[],
  fontOf: (glyph: Glyph) => number,
): UnmappedRun[] {
  const runs: UnmappedRun[] = [];
  for (const [at, index] of unmapped.entries()) {
    const glyph = glyphs[index];
    if (glyph === undefined || BRACKET_PIECE.test(glyph.text)) continue;
    const font = fontOf(glyph);
    const run = runs.at(-1);
    const last = run?.glyphs.at(-1);
    const follows = unmapped[at - 1] === index - 1 && run?.font === font;
    if (follows && last !== undefined && continuesRun(last, glyph)) run?.glyphs.push(glyph);
    else runs.push({ glyphs: [glyph], font });
  }
  return runs;
}

/** Tells whether a run is text. Replacement characters may stand for different characters. */
function isText({ glyphs }: UnmappedRun): boolean {
  const texts = new Set(glyphs.map(({ text }) => text));
  return glyphs.length >= MIN_TEXT_RUN_GLYPHS && (texts.size > 1 || texts.has(REPLACEMENT_CHARACTER));
}

/**
 * Boxes of text without a meaning, in inches as shown. The page has to be open.
 * @param unmapped indices of characters without a meaning
 */
export function garbledRuns(page: PdfPage, glyphs: readonly Glyph[], unmapped: readonly number[]): Box[] {
  const fontOf = fontReader(page);
  const runs = findRuns(glyphs, unmapped, fontOf);
  const fonts = new Set(runs.filter(isText).map(({ font }) => font));
  const meaningless = meaninglessFonts(glyphs, fontOf);
  const misread =
    meaningless.size === 0 ? [] : glyphs.flatMap((glyph, index) => (meaningless.has(fontOf(glyph)) ? [index] : []));
  return [...runs.filter(({ font }) => !meaningless.has(font)), ...findRuns(glyphs, misread, fontOf)]
    .filter(({ font }) => fonts.has(font) || meaningless.has(font))
    .slice(0, MAX_RUNS)
    .map(({ glyphs: own }) => boxInInches(unionBox(own.map(({ box }) => box))));
}
