/**
 * Fonts of a page whose characters form no words of any language: a font that shows type, but whose codes are mapped to
 * other letters, as by a subset without a map or a deliberate exchange. Each font is judged by its own words, because
 * the rest of the page may be in order.
 */
import { judgeLanguage, reachesKnownShare } from "../../ocr/quality/language-fit.ts";
import type { Glyph } from "./glyph.ts";
import type { PdfPage } from "./pdf-page.ts";

/** Letters of a font on a page from which its words are evidence: a line or two, as language-fit.ts judges them. */
const MIN_FONT_LETTERS = 80;
/**
 * Score of its words below which they are none, from 0, surely no language, to 1 (language-fit.ts). Of 436 fonts of the
 * corpus' pages none has less than 0.66, a list of URNs, and texts in other languages have 0.84 and more; with their
 * letters exchanged they have 0.45 and less.
 */
const MAX_MEANINGLESS_SCORE = 0.5;
/** Share of its letters in known words from which they are words all the same; exchanged letters have 0.04 and less. */
const MAX_KNOWN_SHARE = 0.1;
/** Gap between two words of a line, in ems. */
const WORD_GAP_EM = 0.15;

/** Handles of the fonts of text objects. */
export function fontReader({ pdfium }: PdfPage): (glyph: Glyph) => number {
  const fonts = new Map<number, number>();
  return ({ object }) => {
    // Values of form fields have negative numbers.
    if (object <= 0) return 0;
    const known = fonts.get(object);
    if (known !== undefined) return known;
    const font = pdfium.call.FPDFTextObj_GetFont(object);
    fonts.set(object, font);
    return font;
  };
}

const continuesWord = (before: Glyph, after: Glyph): boolean =>
  !after.spaced &&
  Math.abs(after.y - before.y) < WORD_GAP_EM * after.style.size &&
  after.left - before.right < WORD_GAP_EM * after.style.size &&
  after.left > before.left;

/** The words of each font, visible and level text only: the guess at words is for that. */
function wordsByFont(glyphs: readonly Glyph[], fontOf: (glyph: Glyph) => number): Map<number, string[]> {
  const words = new Map<number, string[]>();
  let last: Glyph | undefined;
  let [object, objectFont, font, word] = [0, 0, 0, ""];
  let own: string[] = [];
  for (const glyph of glyphs) {
    const { style } = glyph;
    if (style.hidden || style.angle !== 0) continue;
    if (glyph.object !== object) [object, objectFont] = [glyph.object, fontOf(glyph)];
    if (objectFont === 0) continue;
    const goes = last !== undefined && font === objectFont && continuesWord(last, glyph);
    if (!goes && word !== "") own.push(word);
    if (font !== objectFont) {
      font = objectFont;
      own = words.get(font) ?? [];
      words.set(font, own);
    }
    word = goes ? word + glyph.text : glyph.text;
    last = glyph;
  }
  if (word !== "") own.push(word);
  return words;
}

/** The fonts of a page, by handle, whose characters have other meanings than those they are mapped to. */
export function meaninglessFonts(glyphs: readonly Glyph[], fontOf: (glyph: Glyph) => number): Set<number> {
  const found = new Set<number>();
  for (const [font, words] of wordsByFont(glyphs, fontOf)) {
    if (reachesKnownShare(words, MAX_KNOWN_SHARE)) continue;
    const { letters, score, known } = judgeLanguage(words);
    if (letters >= MIN_FONT_LETTERS && score < MAX_MEANINGLESS_SCORE && known < MAX_KNOWN_SHARE) found.add(font);
  }
  return found;
}
