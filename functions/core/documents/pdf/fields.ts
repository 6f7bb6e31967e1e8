/**
 * Values of form fields. A field's value shows in the page's text through the field's look; where a file leaves the look
 * out (it asks the viewer to draw one), the value is laid into the field's rectangle.
 */
import type { Box } from "../layout.ts";
import type { Glyph } from "./glyphs.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";

/** A filled field: its rectangle in PDF user space, points, and what stands in it. */
export interface FieldValue {
  left: number;
  bottom: number;
  right: number;
  top: number;
  text: string;
}

/** FPDF_ANNOT_WIDGET, FPDF_FORMFIELD_* and FPDF_ANNOT_FLAG_*, fpdf_annot.h and fpdf_formfill.h. */
const WIDGET = 20;
const SHOWING_VALUES = new Set([4, 5, 6]);
const HIDDEN_OR_NOT_VIEWED = 2 | 32;
/** A text field that hides what is typed (PDF 32000-1, table 228). */
const PASSWORD_FIELD = 1 << 13;
const TEXT_FIELD = 6;

const utf16 = new TextDecoder("utf-16le");

/** Opens the document's form for `use`; 0 when it has none. */
export function withForm<T>({ call }: Pdfium, document: number, use: (form: number) => T): T {
  if (call.FPDF_GetFormType(document) === 0) return use(0);
  const info = call.PDFiumExt_OpenFormFillInfo();
  if (info === 0) return use(0);
  try {
    const form = call.PDFiumExt_InitFormFillEnvironment(document, info);
    try {
      return use(form);
    } finally {
      if (form !== 0) call.PDFiumExt_ExitFormFillEnvironment(form);
    }
  } finally {
    call.PDFiumExt_CloseFormFillInfo(info);
  }
}

function valueText(pdfium: Pdfium, form: number, annotation: number): string {
  const { call } = pdfium;
  const bytes = call.FPDFAnnot_GetFormFieldValue(form, annotation, 0, 0);
  if (bytes <= 2) return "";
  return withMemory(pdfium, bytes, (buffer) => {
    call.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes);
    return utf16.decode(pdfium.bytes().slice(buffer, buffer + bytes - 2));
  });
}

function readField(pdfium: Pdfium, form: number, annotation: number): FieldValue | undefined {
  const { call } = pdfium;
  if (call.FPDFAnnot_GetSubtype(annotation) !== WIDGET) return undefined;
  if ((call.FPDFAnnot_GetFlags(annotation) & HIDDEN_OR_NOT_VIEWED) !== 0) return undefined;
  const type = call.FPDFAnnot_GetFormFieldType(form, annotation);
  if (!SHOWING_VALUES.has(type)) return undefined;
  const flags = call.FPDFAnnot_GetFormFieldFlags(form, annotation);
  if (type === TEXT_FIELD && (flags & PASSWORD_FIELD) !== 0) return undefined;
  const text = valueText(pdfium, form, annotation);
  if (text.trim() === "") return undefined;
  return withMemory(pdfium, 16, (rectangle) => {
    if (call.FPDFAnnot_GetRect(annotation, rectangle) === 0) return undefined;
    const view = pdfium.view();
    // FS_RECTF: left, top, right, bottom.
    const [x, y] = [view.getFloat32(rectangle, true), view.getFloat32(rectangle + 8, true)];
    const [a, b] = [view.getFloat32(rectangle + 4, true), view.getFloat32(rectangle + 12, true)];
    return { left: Math.min(x, y), right: Math.max(x, y), bottom: Math.min(a, b), top: Math.max(a, b), text };
  });
}

/** The filled text, combo and list fields of a page, before it is flattened. */
export function fieldValues(pdfium: Pdfium, form: number, page: number): FieldValue[] {
  const { call } = pdfium;
  if (form === 0) return [];
  const values: FieldValue[] = [];
  const count = call.FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index += 1) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const value = readField(pdfium, form, annotation);
    call.FPDFPage_CloseAnnot(annotation);
    if (value !== undefined) values.push(value);
  }
  return values;
}

/** Type of a value that has no look: no taller than 12 points, and as narrow as its rectangle asks. */
function layOut(text: string, box: Box, object: number): Glyph[] {
  const rows = text.split(/\r\n?|\n/);
  const leading = (box.bottom - box.top) / rows.length;
  const size = Math.min(12, 0.8 * leading);
  const style = { size, bold: false, angle: 0 };
  return rows.flatMap((row, at) => {
    const characters = [...row];
    const advance = Math.min(0.5 * size, (box.right - box.left) / Math.max(characters.length, 1));
    const baseline = box.top + at * leading + 0.5 * leading + 0.3 * size;
    return characters.flatMap((character, column): Glyph[] => {
      if (character.trim() === "") return [];
      const left = box.left + column * advance;
      const spaced = column === 0 || characters[column - 1]?.trim() === "";
      const own = { left, right: left + advance, top: baseline - 0.8 * size, bottom: baseline + 0.2 * size };
      const origin = { x: left, y: baseline };
      return [{ text: character, box: own, origin, style, object, spaced, hyphen: false }];
    });
  });
}

/** Glyphs for the values whose rectangles (as shown) hold no text. */
export function missingValues(values: readonly { text: string; box: Box }[], glyphs: readonly Glyph[]): Glyph[] {
  return values.flatMap(({ text, box }, index) => {
    const shown = glyphs.some(({ box: { left, right, top, bottom } }) => {
      const x = (left + right) / 2;
      const y = (top + bottom) / 2;
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
    return shown ? [] : layOut(text, box, -1 - index);
  });
}
