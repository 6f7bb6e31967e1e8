/**
 * Runs of characters without a meaning: what a font shows is type, but what it says of its codes is nothing, or private.
 * Judged by font, as the rest of the page may be in good order. Bullets, icons and boxes to tick come from such fonts
 * too, one at a time or the same again and again; text has different ones side by side.
 */
import type { Box } from "../../../ports/layout.ts";
import { unionBox } from "../../layout/geometry.ts";
import type { Glyph } from "./glyph.ts";
import { REPLACEMENT } from "./page-glyphs.ts";
import type { PdfPage } from "./pdf-document.ts";
import { boxInInches } from "./points-to-inches.ts";

/** Side by side, of which two are different: certainly text. */
const LEAST_RUN = 3;
/** In ems. */
const LARGEST_GAP = 0.6;
const SAME_BASELINE = 0.3;
/** Adobe's pieces of large brackets, sums and integrals, as fonts of mathematics have them. */
const PIECES = /^[\uf8e5-\uf8fe]$/;
/** More are not told of one page: it is garbled as a whole then. */
const MOST_RUNS = 1_000;

interface Run {
  glyphs: Glyph[];
  font: number;
}

function goesOn(before: Glyph, after: Glyph): boolean {
  const em = Math.max(before.style.size, after.style.size);
  const gap = Math.max(after.left - before.right, before.left - after.right);
  const apart = Math.max(after.top - before.bottom, before.top - after.bottom);
  const isLevel = before.style.angle % 180 !== 0 || Math.abs(after.y - before.y) <= SAME_BASELINE * em;
  return !after.spaced && gap <= LARGEST_GAP * em && apart <= LARGEST_GAP * em && isLevel;
}

function findRuns({ pdfium }: PdfPage, glyphs: readonly Glyph[], unmapped: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const [at, index] of unmapped.entries()) {
    const glyph = glyphs[index];
    if (glyph === undefined || PIECES.test(glyph.text)) continue;
    const font = glyph.object === 0 ? 0 : pdfium.call.FPDFTextObj_GetFont(glyph.object);
    const run = runs.at(-1);
    const last = run?.glyphs.at(-1);
    const follows = unmapped[at - 1] === index - 1 && run?.font === font;
    if (follows && last !== undefined && goesOn(last, glyph)) run?.glyphs.push(glyph);
    else runs.push({ glyphs: [glyph], font });
  }
  return runs;
}

/** Of characters that are only replaced nobody knows whether they differ. */
function isText({ glyphs }: Run): boolean {
  const texts = new Set(glyphs.map(({ text }) => text));
  return glyphs.length >= LEAST_RUN && (texts.size > 1 || texts.has(REPLACEMENT));
}

/**
 * Where the text of a page has no meaning: inches, as shown.
 * @param unmapped positions of characters that have none, while the page is open
 */
export function garbledRuns(page: PdfPage, glyphs: readonly Glyph[], unmapped: readonly number[]): Box[] {
  const runs = findRuns(page, glyphs, unmapped);
  const fonts = new Set(runs.filter(isText).map(({ font }) => font));
  return runs
    .filter(({ font }) => fonts.has(font))
    .slice(0, MOST_RUNS)
    .map(({ glyphs: own }) => boxInInches(unionBox(own.map(({ box }) => box))));
}
