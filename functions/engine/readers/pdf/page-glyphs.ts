/** The characters of a page's text layer, placed on the page as shown: points from its top left corner, y downwards. */

import type { Box } from "../../../ports/layout.ts";
import { middleX, middleY } from "../../layout/geometry.ts";
import { missingValues } from "./form-field-values.ts";
import { Glyph, PLACE_NUMBERS, type Point, writePlace } from "./glyph.ts";
import { oncePerPage, type PdfPage, transformBox } from "./pdf-document.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";
import { isCutOff, type ShownAreas, shownAreas } from "./shown-areas.ts";
import { STYLE_BYTES, TextStyles } from "./text-styles.ts";

/** pdfium's marks for a hyphen at a line's end: it would join the word's halves. */
const isHyphenMark = (code: number): boolean => code === 0x02 || code === 0xfffe;
/** Scripts whose next character stands to the left. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** What stands for a character that nobody knows. */
export const REPLACEMENT = "\ufffd";
/** Private use, and the replacement character. */
const PRIVATE = /[\p{Co}\ufffd]/u;
const LAM = 0x644;
const LEAST_ALEF = 0x622;
const ALEFS = new Set([LEAST_ALEF, 0x623, 0x625, 0x627]);
/** White space, separators, control characters, and characters without width. */
const BLANK = /^[\s\p{Z}\p{Cc}\u200b\u2060\ufeff]$/u;

/** What can be neither is not asked. */
const isPrivate = (code: number, text: string): boolean => (code < 0x20 || code >= 0xe000) && PRIVATE.test(text);

const isBlank = (code: number, text: string): boolean => code <= 0x20 || (code > 0x7e && BLANK.test(text));

interface Source {
  pdfium: Pdfium;
  page: PdfPage;
  text: number;
  /** Of characters. */
  count: number;
  scratch: number;
  styles: TextStyles;
  /** Of all characters, also those that are no glyphs. */
  places: Float64Array;
  areas: ShownAreas;
  /** What was read last. */
  box: Box;
  origin: Point;
}

function readBox({ pdfium, page, text, scratch, box }: Source, index: number): Box {
  pdfium.call.FPDFText_GetLooseCharBox(text, index, scratch);
  const view = pdfium.view();
  // FS_RECTF: left, top, right, bottom.
  const left = view.getFloat32(scratch, true);
  const top = view.getFloat32(scratch + 4, true);
  const right = view.getFloat32(scratch + 8, true);
  const bottom = view.getFloat32(scratch + 12, true);
  return transformBox(page.toShown, left, bottom, right, top, box);
}

function readOrigin({ pdfium, page, text, scratch, origin }: Source, index: number): Point {
  pdfium.call.FPDFText_GetCharOrigin(text, index, scratch, scratch + 8);
  const view = pdfium.view();
  const x = view.getFloat64(scratch, true);
  const y = view.getFloat64(scratch + 8, true);
  const { toShown } = page;
  origin.x = toShown.a * x + toShown.c * y + toShown.e;
  origin.y = toShown.b * x + toShown.d * y + toShown.f;
  return origin;
}

/** The second half of a character that the first one stands for. */
const TAKEN = -1;

/** UTF-16 halves come one by one; a lone one, and what is no character, becomes U+FFFD. */
function readCharacters({ pdfium, text, count }: Source): Int32Array {
  const codes = new Int32Array(count);
  for (let index = 0; index < count; index += 1) codes[index] = pdfium.call.FPDFText_GetUnicode(text, index);
  for (let index = 0; index < count; index += 1) {
    const code = codes[index] ?? 0;
    const next = codes[index + 1] ?? 0;
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
      codes[index] = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
      codes[index + 1] = TAKEN;
      index += 1;
    } else if ((code >= 0xd800 && code < 0xe000) || code < 0 || code > 0x10ffff || (code & 0xfffe) === 0xfffe) {
      codes[index] = isHyphenMark(code) ? code : 0xfffd;
    }
  }
  return codes;
}

/** A lam-alef ligature is taken apart in the order seen, not read: one glyph, two letters, swapped. */
function orderLamAlef(glyphs: Glyph[]): void {
  glyphs.forEach((glyph, index) => {
    const code = glyph.text.charCodeAt(0);
    if (code < LEAST_ALEF || !ALEFS.has(code)) return;
    const next = glyphs[index + 1];
    if (next?.x !== glyph.x || next.y !== glyph.y || next.text.charCodeAt(0) !== LAM) return;
    [glyph.text, next.text] = [next.text, glyph.text];
  });
}

/** Control characters that show something are codes of glyphs that the font gives no character for. */
function isUnknownGlyph({ pdfium, text, scratch }: Source, index: number, code: number): boolean {
  if (code >= 0x20 || (code >= 0x09 && code <= 0x0d)) return false;
  pdfium.call.FPDFText_GetCharBox(text, index, scratch, scratch + 8, scratch + 16, scratch + 24);
  const view = pdfium.view();
  const width = view.getFloat64(scratch + 8, true) - view.getFloat64(scratch, true);
  const height = view.getFloat64(scratch + 24, true) - view.getFloat64(scratch + 16, true);
  return width > 0 && height > 0;
}

/** What the character shows; undefined for white space. */
function visibleText(source: Source, index: number, code: number): string | undefined {
  if (isHyphenMark(code)) return "-";
  if (isUnknownGlyph(source, index, code)) return REPLACEMENT;
  const text = String.fromCodePoint(code);
  return isBlank(code, text) ? undefined : text;
}

/** In ems: rounding. Tight type squeezes real spaces down to 0.01 em; a space taken back leaves nothing at all. */
const TAKEN_BACK = 0.004;

/**
 * Whether the space between two characters of one object was taken back: a kern as wide as the space puts the next
 * character where the space begins, and the word goes on.
 */
function isTakenBack(source: Source, space: number, before: Glyph | undefined, after: Glyph): boolean {
  const { size, angle } = after.style;
  if (space < 0 || before?.object !== after.object || RIGHT_TO_LEFT.test(after.text)) return false;
  const [x, y] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  // The space's own place is asked for only where the characters on its sides stand close.
  const apart = (after.x - before.x) * x + (after.y - before.y) * y;
  if (apart <= 0 || apart > 1.1 * size) return false;
  const origin = readOrigin(source, space);
  const advance = (after.x - origin.x) * x + (after.y - origin.y) * y;
  const since = (origin.x - before.x) * x + (origin.y - before.y) * y;
  return since > 0 && Math.abs(advance) < TAKEN_BACK * size;
}

/** @param before the glyph before it, mostly of the same object */
function readGlyph(source: Source, index: number, text: string, before: Glyph | undefined): Glyph {
  const object = source.pdfium.call.FPDFText_GetTextObject(source.text, index);
  const isSame = before !== undefined && before.object === object && object !== 0;
  const style = isSame ? before.style : source.styles.of(index, object);
  const at = index * PLACE_NUMBERS;
  writePlace(source.places, at, readBox(source, index), readOrigin(source, index));
  return new Glyph(source.places, at, text, style, object);
}

function readGlyphs(source: Source): PageText {
  const { page } = source;
  const { call } = source.pdfium;
  const glyphs: Glyph[] = [];
  const unmapped: number[] = [];
  // What stands before a character: whether white space does, and the position of the only one, -1 for none or more.
  let [spaced, space] = [true, -1];
  const codes = readCharacters(source);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? TAKEN;
    if (code === TAKEN) continue;
    const text = visibleText(source, index, code);
    if (text === undefined) {
      // Spaces that pdfium makes up stand where its own guess at words ends; the geometry decides that here.
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
    glyph.spaced = spaced && !isTakenBack(source, space, before, glyph);
    const isUnknown = code === 0 || call.FPDFText_HasUnicodeMapError(source.text, index) === 1;
    // pdfium gives the font's own code for a character that it does not know.
    const letters = isUnknown ? page.ligatures.letters(source.pdfium, glyph.object, code) : undefined;
    if (letters !== undefined) glyph.text = letters;
    else if (isUnknown || isPrivate(code, text)) unmapped.push(glyphs.length);
    glyphs.push(glyph);
    [spaced, space] = [false, -1];
  }
  orderLamAlef(glyphs);
  return { glyphs, unmapped };
}

function isInside(glyph: Glyph, { page: { width, height }, areas }: Source): boolean {
  if (!glyph.style.hidden && isCutOff(areas, glyph.object, glyph)) return false;
  const x = middleX(glyph);
  const y = middleY(glyph);
  return x >= 0 && x <= width && y >= 0 && y <= height;
}

interface PageText {
  glyphs: Glyph[];
  /** Positions of those that have no meaning: no Unicode value, a private one, or a replacement. */
  unmapped: number[];
}

function readText(page: PdfPage): PageText {
  const { pdfium, fields } = page;
  const text = pdfium.call.FPDFText_LoadPage(page.handle);
  if (text === 0) return { unmapped: [], glyphs: missingValues(fields, []) };
  try {
    const areas = shownAreas(page);
    const count = Math.max(pdfium.call.FPDFText_CountChars(text), 0);
    const read = withMemory(pdfium, STYLE_BYTES, (scratch) => {
      const styles = new TextStyles(page, text, scratch);
      const places = new Float64Array(count * PLACE_NUMBERS);
      const last = { box: { left: 0, top: 0, right: 0, bottom: 0 }, origin: { x: 0, y: 0 } };
      return readGlyphs({ pdfium, page, text, count, scratch, styles, places, areas, ...last });
    });
    const missing = missingValues(fields, read.glyphs);
    return missing.length === 0 ? read : { ...read, glyphs: [...read.glyphs, ...missing] };
  } finally {
    pdfium.call.FPDFText_ClosePage(text);
  }
}

/**
 * The visible characters of a page in content order, without white space and without those outside the page; at the end
 * the values of form fields that have no look.
 */
export const pageText: (page: PdfPage) => PageText = oncePerPage(readText);

/** pageText's characters. */
export const pageGlyphs = (page: PdfPage): Glyph[] => pageText(page).glyphs;
