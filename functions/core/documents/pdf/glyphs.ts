/** The characters of a page's text layer, placed on the page as shown: points from its top left corner, y downwards. */
import type { Box } from "../layout.ts";
import { missingValues } from "./fields.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";
import { type PdfPage, transformBox } from "./reader.ts";

/** What the characters of one text object share. */
export interface TextStyle {
  /** Height of the type in points, as shown. */
  size: number;
  bold: boolean;
  /** Direction in which the text runs, in whole degrees clockwise from "to the right", as shown: 0 to 359. */
  angle: number;
  /** Drawn invisibly, as the text laid over a scan is. */
  hidden: boolean;
}

export interface Glyph {
  text: string;
  /** From the origin to the next one, from the type's descent to its ascent. */
  box: Box;
  /** Where the glyph stands on its baseline. */
  origin: { x: number; y: number };
  style: TextStyle;
  /** The text object it belongs to; a value to compare, nothing more. */
  object: number;
  /** Whether white space stands before it in the content. */
  spaced: boolean;
  /** Ends its line with a hyphen that divides a word. */
  hyphen: boolean;
}

/** pdfium's marks for a hyphen at a line's end: it would join the word's halves. */
const HYPHEN_MARKS = new Set([0x02, 0xfffe]);
/** Scripts whose next character stands to the left. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Private use, and the replacement character. */
const PRIVATE = /[\p{Co}\ufffd]/u;
const LAM = 0x644;
const ALEFS = new Set([0x622, 0x623, 0x625, 0x627]);
const FORCE_BOLD = 1 << 18;
/** Text rendering modes (PDF 32000-1, table 106). */
const FILL_AND_STROKE = 2;
const INVISIBLE = 3;
const ONLY_CLIP = 7;
const BOLD_NAME = /bold|black|heavy|semibd|demi(?!light)/i;
/** White space, separators, control characters, and characters without width. */
const BLANK = /^[\s\p{Z}\p{Cc}\u200b\u2060\ufeff]$/u;

const isBlank = (code: number, text: string): boolean => code <= 0x20 || (code > 0x7e && BLANK.test(text));

const SCRATCH_BYTES = 512;
const decoder = new TextDecoder();

/** Text laid over a scan leans a little with it, each word by itself: up to 3 degrees count as upright. */
function snapAngle(degrees: number): number {
  const quarter = Math.round(degrees / 90) * 90;
  const snapped = Math.abs(degrees - quarter) <= 3 ? quarter : Math.round(degrees);
  return (snapped + 360) % 360;
}

interface Source {
  pdfium: Pdfium;
  page: PdfPage;
  text: number;
  scratch: number;
}

function readBox({ pdfium, page, text, scratch }: Source, index: number): Box {
  pdfium.call.FPDFText_GetLooseCharBox(text, index, scratch);
  const view = pdfium.view();
  // FS_RECTF: left, top, right, bottom.
  const left = view.getFloat32(scratch, true);
  const top = view.getFloat32(scratch + 4, true);
  const right = view.getFloat32(scratch + 8, true);
  const bottom = view.getFloat32(scratch + 12, true);
  return transformBox(page.toShown, left, bottom, right, top);
}

function readOrigin({ pdfium, page, text, scratch }: Source, index: number): { x: number; y: number } {
  pdfium.call.FPDFText_GetCharOrigin(text, index, scratch, scratch + 8);
  const view = pdfium.view();
  const x = view.getFloat64(scratch, true);
  const y = view.getFloat64(scratch + 8, true);
  const { a, b, c, d, e, f } = page.toShown;
  return { x: a * x + c * y + e, y: b * x + d * y + f };
}

function readStyle({ pdfium, page, text, scratch }: Source, index: number, object: number): TextStyle {
  const { call } = pdfium;
  const nominal = call.FPDFText_GetFontSize(text, index);
  call.FPDFText_GetMatrix(text, index, scratch);
  const view = pdfium.view();
  const a = view.getFloat32(scratch, true);
  const b = view.getFloat32(scratch + 4, true);
  const c = view.getFloat32(scratch + 8, true);
  const d = view.getFloat32(scratch + 12, true);
  const shown = page.toShown;
  const angle = Math.atan2(shown.b * a + shown.d * b, shown.a * a + shown.c * b);
  const nameBytes = SCRATCH_BYTES - 8;
  const length = call.FPDFText_GetFontInfo(text, index, scratch + 8, nameBytes, scratch);
  const name =
    length > 1 && length <= nameBytes
      ? decoder.decode(pdfium.bytes().slice(scratch + 8, scratch + 8 + length - 1))
      : "";
  const forced = (pdfium.view().getInt32(scratch, true) & FORCE_BOLD) !== 0;
  const mode = object === 0 ? 0 : call.FPDFTextObj_GetTextRenderMode(object);
  return {
    size: Math.abs(nominal) * Math.hypot(c, d),
    bold: forced || mode === FILL_AND_STROKE || BOLD_NAME.test(name),
    angle: snapAngle((angle * 180) / Math.PI),
    hidden: mode === INVISIBLE || mode === ONLY_CLIP,
  };
}

/** The second half of a character that the first one stands for. */
const TAKEN = -1;

/** UTF-16 halves come one by one; a lone one, and what is no character, becomes U+FFFD. */
function readCharacters({ pdfium, text }: Source, count: number): number[] {
  const codes: number[] = [];
  for (let index = 0; index < count; index += 1) codes.push(pdfium.call.FPDFText_GetUnicode(text, index) >>> 0);
  for (let index = 0; index < count; index += 1) {
    const code = codes[index] ?? 0;
    const next = codes[index + 1] ?? 0;
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
      codes[index] = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
      codes[index + 1] = TAKEN;
      index += 1;
    } else if ((code >= 0xd800 && code < 0xe000) || code > 0x10ffff || (code & 0xfffe) === 0xfffe) {
      codes[index] = HYPHEN_MARKS.has(code) ? code : 0xfffd;
    }
  }
  return codes;
}

/** A lam-alef ligature is taken apart in the order seen, not read: one glyph, two letters, swapped. */
function orderLamAlef(glyphs: Glyph[]): void {
  glyphs.forEach((glyph, index) => {
    const next = glyphs[index + 1];
    const sameGlyph = next?.origin.x === glyph.origin.x && next.origin.y === glyph.origin.y;
    if (!sameGlyph || next.text.codePointAt(0) !== LAM || !ALEFS.has(glyph.text.codePointAt(0) ?? 0)) return;
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
  if (HYPHEN_MARKS.has(code)) return "-";
  if (isUnknownGlyph(source, index, code)) return "\ufffd";
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
  const apart = (after.origin.x - before.origin.x) * x + (after.origin.y - before.origin.y) * y;
  if (apart <= 0 || apart > 1.1 * size) return false;
  const origin = readOrigin(source, space);
  const advance = (after.origin.x - origin.x) * x + (after.origin.y - origin.y) * y;
  const since = (origin.x - before.origin.x) * x + (origin.y - before.origin.y) * y;
  return since > 0 && Math.abs(advance) < TAKEN_BACK * size;
}

/** What stands before a character. */
interface Gap {
  spaced: boolean;
  /** Position of the only white space there; -1 when there is none or more. */
  space: number;
}

function readGlyph(source: Source, index: number, text: string, styles: Map<number, TextStyle>): Glyph {
  const object = source.pdfium.call.FPDFText_GetTextObject(source.text, index);
  let style = styles.get(object);
  if (style === undefined || object === 0) {
    style = readStyle(source, index, object);
    styles.set(object, style);
  }
  const box = readBox(source, index);
  return { text, box, origin: readOrigin(source, index), style, object, spaced: false, hyphen: false };
}

function readGlyphs(source: Source): PageText {
  const { call } = source.pdfium;
  const styles = new Map<number, TextStyle>();
  const glyphs: Glyph[] = [];
  let unmapped = 0;
  let gap: Gap = { spaced: true, space: -1 };
  for (const [index, code] of readCharacters(source, call.FPDFText_CountChars(source.text)).entries()) {
    if (code === TAKEN) continue;
    const text = visibleText(source, index, code);
    if (text === undefined) {
      // Spaces that pdfium makes up stand where its own guess at words ends; the geometry decides that here.
      if (call.FPDFText_IsGenerated(source.text, index) === 0) gap = { spaced: true, space: gap.spaced ? -1 : index };
      continue;
    }
    const glyph = readGlyph(source, index, text, styles);
    if (!isInside(glyph, source.page)) {
      gap = { spaced: gap.spaced, space: -1 };
      continue;
    }
    glyph.hyphen = HYPHEN_MARKS.has(code);
    glyph.spaced = gap.spaced && !isTakenBack(source, gap.space, glyphs.at(-1), glyph);
    if (PRIVATE.test(text) || call.FPDFText_HasUnicodeMapError(source.text, index) === 1) unmapped += 1;
    glyphs.push(glyph);
    gap = { spaced: false, space: -1 };
  }
  orderLamAlef(glyphs);
  return { glyphs, unmapped };
}

function isInside({ box }: Glyph, { width, height }: PdfPage): boolean {
  const x = (box.left + box.right) / 2;
  const y = (box.top + box.bottom) / 2;
  return x >= 0 && x <= width && y >= 0 && y <= height;
}

export interface PageText {
  glyphs: Glyph[];
  /** How many of them have no meaning: no Unicode value, a private one, or a replacement. */
  unmapped: number;
}

function readText(page: PdfPage): PageText {
  const { pdfium, fields } = page;
  const text = pdfium.call.FPDFText_LoadPage(page.handle);
  if (text === 0) return { unmapped: 0, glyphs: missingValues(fields, []) };
  try {
    const read = withMemory(pdfium, SCRATCH_BYTES, (scratch) => readGlyphs({ pdfium, page, text, scratch }));
    return { ...read, glyphs: [...read.glyphs, ...missingValues(fields, read.glyphs)] };
  } finally {
    pdfium.call.FPDFText_ClosePage(text);
  }
}

/** Pages that are open, so that several who ask have the text read once. */
const open = new WeakMap<PdfPage, PageText>();

/**
 * The visible characters of a page in content order, without white space and without those outside the page; at the end
 * the values of form fields that have no look.
 */
export function pageText(page: PdfPage): PageText {
  let text = open.get(page);
  if (text === undefined) {
    text = readText(page);
    open.set(page, text);
  }
  return text;
}

/** pageText's characters. */
export const pageGlyphs = (page: PdfPage): Glyph[] => pageText(page).glyphs;
