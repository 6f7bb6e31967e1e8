/** The characters of a page's text layer, placed on the page as shown: points from its top left corner, y downwards. */

import type { Box } from "../../../ports/layout.ts";
import { middleX, middleY } from "../../layout/geometry.ts";
import { missingValueGlyphs } from "./form-field-values.ts";
import { Glyph, NUMBERS_PER_PLACE, type Point, startsRightToLeft, writePlace } from "./glyph.ts";
import { transformBox } from "./matrix.ts";
import { oncePerPage, type PdfPage } from "./pdf-page.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";
import { isClipped, type ShownAreas, shownAreas } from "./shown-areas.ts";
import { accentOf } from "./spacing-accents.ts";
import { STYLE_BYTES, TextStyles } from "./text-styles.ts";

/** pdfium's codes for a hyphen at the end of a line, which would join the halves of the word. */
const isHyphenMark = (code: number): boolean => code === 0x02 || code === 0xfffe;
/** Stands for an unknown character. */
export const REPLACEMENT_CHARACTER = "\ufffd";
/** Private use, and the replacement character. */
const PRIVATE_CHARACTER = /[\p{Co}\ufffd]/u;
const LAM = 0x644;
const FIRST_ALEF = 0x622;
const ALEFS = new Set([FIRST_ALEF, 0x623, 0x625, 0x627]);
/** White space, separators, control characters, and characters without width. */
const BLANK_CHARACTER = /^[\s\p{Z}\p{Cc}\u200b\u2060\ufeff]$/u;

/** Tests only codes that can be private. */
const isPrivate = (code: number, text: string): boolean =>
  (code < 0x20 || code >= 0xe000) && PRIVATE_CHARACTER.test(text);

const isBlank = (code: number, text: string): boolean => code <= 0x20 || (code > 0x7e && BLANK_CHARACTER.test(text));

interface GlyphSource {
  pdfium: Pdfium;
  page: PdfPage;
  text: number;
  /** Number of characters. */
  count: number;
  scratch: number;
  styles: TextStyles;
  /** Places of all characters, including those without a glyph. */
  places: Float64Array;
  areas: ShownAreas;
  /** Buffers for the last box and origin read. */
  box: Box;
  origin: Point;
}

function readBox({ pdfium, page, text, scratch, box }: GlyphSource, index: number): Box {
  pdfium.call.FPDFText_GetLooseCharBox(text, index, scratch);
  const view = pdfium.view();
  // FS_RECTF: left, top, right, bottom.
  const left = view.getFloat32(scratch, true);
  const top = view.getFloat32(scratch + 4, true);
  const right = view.getFloat32(scratch + 8, true);
  const bottom = view.getFloat32(scratch + 12, true);
  return transformBox(page.toShown, left, bottom, right, top, box);
}

function readOrigin({ pdfium, page, text, scratch, origin }: GlyphSource, index: number): Point {
  pdfium.call.FPDFText_GetCharOrigin(text, index, scratch, scratch + 8);
  const view = pdfium.view();
  const x = view.getFloat64(scratch, true);
  const y = view.getFloat64(scratch + 8, true);
  const { toShown } = page;
  origin.x = toShown.a * x + toShown.c * y + toShown.e;
  origin.y = toShown.b * x + toShown.d * y + toShown.f;
  return origin;
}

/** Stands for the second half of a surrogate pair. */
const SURROGATE_REST = -1;

/** Joins UTF-16 surrogates; a lone surrogate or an invalid code becomes U+FFFD. */
function readCharacters({ pdfium, text, count }: GlyphSource): Int32Array {
  const codes = new Int32Array(count);
  for (let index = 0; index < count; index += 1) codes[index] = pdfium.call.FPDFText_GetUnicode(text, index);
  for (let index = 0; index < count; index += 1) {
    const code = codes[index] ?? 0;
    const next = codes[index + 1] ?? 0;
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
      codes[index] = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
      codes[index + 1] = SURROGATE_REST;
      index += 1;
    } else if ((code >= 0xd800 && code < 0xe000) || code < 0 || code > 0x10ffff || (code & 0xfffe) === 0xfffe) {
      codes[index] = isHyphenMark(code) ? code : 0xfffd;
    }
  }
  return codes;
}

/** Reorders lam-alef ligatures. pdfium splits them in visual order: one glyph, two letters, swapped. */
function orderLamAlef(glyphs: Glyph[]): void {
  glyphs.forEach((glyph, index) => {
    const code = glyph.text.charCodeAt(0);
    if (code < FIRST_ALEF || !ALEFS.has(code)) return;
    const next = glyphs[index + 1];
    if (next?.x !== glyph.x || next.y !== glyph.y || next.text.charCodeAt(0) !== LAM) return;
    [glyph.text, next.text] = [next.text, glyph.text];
  });
}

/** Tells whether a character shows something on the page. @param least height in widths of the shape */
function hasInk({ pdfium, text, scratch }: GlyphSource, index: number, least: number): boolean {
  pdfium.call.FPDFText_GetCharBox(text, index, scratch, scratch + 8, scratch + 16, scratch + 24);
  const view = pdfium.view();
  const width = view.getFloat64(scratch + 8, true) - view.getFloat64(scratch, true);
  const height = view.getFloat64(scratch + 24, true) - view.getFloat64(scratch + 16, true);
  return width > 0 && height > least * width;
}

/** Tells whether a control character shows something: the font then has no character for the glyph. */
const isUnknownGlyph = (source: GlyphSource, index: number, code: number): boolean =>
  code < 0x20 && (code < 0x09 || code > 0x0d) && hasInk(source, index, 0);

/** The first code of fonts that macOS embeds, often of a blank: its tabs and ends of paragraphs read as `!`. */
const FIRST_SUBSET_CODE = 0x21;
/** Height of an exclamation mark in its widths, at least, also of one on its side: boxes of blanks have 0.004. */
const MIN_MARK_HEIGHT_SHARE = 0.03;

/** The visible text of a character; undefined for white space. */
function visibleText(source: GlyphSource, index: number, code: number): string | undefined {
  if (isHyphenMark(code)) return "-";
  if (isUnknownGlyph(source, index, code)) return REPLACEMENT_CHARACTER;
  if (code === FIRST_SUBSET_CODE && !hasInk(source, index, MIN_MARK_HEIGHT_SHARE)) return undefined;
  const text = String.fromCodePoint(code);
  return isBlank(code, text) ? undefined : text;
}

/**
 * Tolerance in ems for rounding. Tight type squeezes real spaces to 0.01 em; a kerned-away space leaves no width at
 * all.
 */
const MAX_KERNED_SPACE_EM = 0.004;

/**
 * Tells whether kerning removed the space between two characters of one object: a kern as wide as the space puts the
 * next character where the space begins, and the word continues.
 */
function isKernedAway(source: GlyphSource, space: number, before: Glyph | undefined, after: Glyph): boolean {
  const { size, angle } = after.style;
  if (space < 0 || before?.object !== after.object || startsRightToLeft(after.text)) return false;
  const [x, y] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  // The position of the space is read only when the characters on its sides stand close.
  const distance = (after.x - before.x) * x + (after.y - before.y) * y;
  if (distance <= 0 || distance > 1.1 * size) return false;
  const origin = readOrigin(source, space);
  const advance = (after.x - origin.x) * x + (after.y - origin.y) * y;
  const toSpace = (origin.x - before.x) * x + (origin.y - before.y) * y;
  return toSpace > 0 && Math.abs(advance) < MAX_KERNED_SPACE_EM * size;
}

/** @param before the previous glyph, usually of the same object */
function readGlyph(source: GlyphSource, index: number, text: string, before: Glyph | undefined): Glyph {
  const object = source.pdfium.call.FPDFText_GetTextObject(source.text, index);
  const isSame = before !== undefined && before.object === object && object !== 0;
  const style = isSame ? before.style : source.styles.styleOf(index, object);
  const at = index * NUMBERS_PER_PLACE;
  writePlace(source.places, at, readBox(source, index), readOrigin(source, index));
  return new Glyph(source.places, at, text, style, object);
}

function readGlyphs(source: GlyphSource): TextLayer {
  const { page } = source;
  const { call } = source.pdfium;
  const glyphs: Glyph[] = [];
  const unmapped: number[] = [];
  // White space before the character: whether there is any, and the index of the only one, -1 for none or several.
  let [spaced, space] = [true, -1];
  const codes = readCharacters(source);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? SURROGATE_REST;
    if (code === SURROGATE_REST) continue;
    const text = visibleText(source, index, code);
    if (text === undefined) {
      // pdfium adds spaces where it guesses the end of a word; here the geometry decides that.
      if (call.FPDFText_IsGenerated(source.text, index) === 0) [space, spaced] = [spaced ? -1 : index, true];
      continue;
    }
    const before = glyphs.at(-1);
    const glyph = readGlyph(source, index, text, before);
    if (!isInside(glyph, source)) {
      space = -1;
      continue;
    }
    glyph.hyphen = isHyphenMark(code);
    if (text === "e" && glyph.style.eurosym) glyph.text = "€";
    glyph.spaced = spaced && !isKernedAway(source, space, before, glyph);
    const accent = accentOf(glyphs, glyph);
    if (accent === glyph) continue;
    if (accent !== undefined) {
      glyphs.pop();
      glyph.spaced = accent.spaced;
    }
    const isUnknown = code === 0 || call.FPDFText_HasUnicodeMapError(source.text, index) === 1;
    // For an unknown character pdfium returns the font's own code.
    const letters = isUnknown ? page.ligatures.letters(source.pdfium, glyph.object, code) : undefined;
    if (letters !== undefined) glyph.text = letters;
    else if (isUnknown || isPrivate(code, text)) unmapped.push(glyphs.length);
    glyphs.push(glyph);
    [spaced, space] = [false, -1];
  }
  orderLamAlef(glyphs);
  return { glyphs, unmapped };
}

function isInside(glyph: Glyph, { page: { width, height }, areas }: GlyphSource): boolean {
  if (!glyph.style.hidden && isClipped(areas, glyph.object, glyph)) return false;
  const x = middleX(glyph);
  const y = middleY(glyph);
  return x >= 0 && x <= width && y >= 0 && y <= height;
}

interface TextLayer {
  glyphs: Glyph[];
  /** Indices of characters without a meaning: no Unicode value, a private one, or a replacement character. */
  unmapped: number[];
}

function readTextLayer(page: PdfPage): TextLayer {
  const { pdfium, fields } = page;
  const text = pdfium.call.FPDFText_LoadPage(page.handle);
  if (text === 0) return { unmapped: [], glyphs: missingValueGlyphs(fields, []) };
  try {
    const areas = shownAreas(page);
    const count = Math.max(pdfium.call.FPDFText_CountChars(text), 0);
    const read = withMemory(pdfium, STYLE_BYTES, (scratch) => {
      const styles = new TextStyles(page, text, scratch);
      const places = new Float64Array(count * NUMBERS_PER_PLACE);
      const buffers = { box: { left: 0, top: 0, right: 0, bottom: 0 }, origin: { x: 0, y: 0 } };
      return readGlyphs({ pdfium, page, text, count, scratch, styles, places, areas, ...buffers });
    });
    const missing = missingValueGlyphs(fields, read.glyphs);
    return missing.length === 0 ? read : { ...read, glyphs: [...read.glyphs, ...missing] };
  } finally {
    pdfium.call.FPDFText_ClosePage(text);
  }
}

/**
 * The visible characters of a page in content order, without white space and without characters outside the page; then
 * the values of form fields without an appearance.
 */
export const textLayer: (page: PdfPage) => TextLayer = oncePerPage(readTextLayer);

/** The glyphs of a page's text layer. */
export const pageGlyphs = (page: PdfPage): Glyph[] => textLayer(page).glyphs;
