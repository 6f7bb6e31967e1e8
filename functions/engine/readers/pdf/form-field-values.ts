/**
 * Values of form fields. A field's value shows in the page's text through the field's look; where a file leaves the look
 * out (it asks the viewer to draw one), the value is laid into the field's rectangle.
 */
import type { Box } from "../../../ports/layout.ts";
import { isTickMark, showsFrameOnly, tickMark } from "../../layout/checkbox-characters.ts";
import { Glyph } from "./glyph.ts";
import { type Pdfium, type Rectangle, readRectangle, readUtf16, withCString } from "./pdfium.ts";

/** A filled field: its rectangle in PDF user space, points, and what stands in it. */
export interface FieldValue extends Rectangle {
  text: string;
  /** Whether it is a box to tick. */
  mark: boolean;
}

/** A field's value on the page as shown, points. */
export interface ShownValue {
  text: string;
  mark: boolean;
  box: Box;
}

/** FPDF_FORMFIELD_*, fpdf_formfill.h. */
const TO_TICK = new Set([2, 3]);
const SHOWING_VALUES = new Set([4, 5, 6]);
/** Fields that offer options, which a page shows by their labels (PDF 32000-1, 12.7.4.4). */
const CHOICES = new Set([4, 5]);
const MOST_OPTIONS = 1_000;
/** A text field that hides what is typed (PDF 32000-1, table 228). */
const PASSWORD_FIELD = 1 << 13;
const TEXT_FIELD = 6;

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

/**
 * Whether a box's look is one of those that show it ticked; where the file does not say which look it has, whether the
 * field's value is this box's. (pdfium's own answer needs a page view, which would run the file's scripts.)
 */
function isTicked(pdfium: Pdfium, form: number, annotation: number): boolean {
  const { call } = pdfium;
  const look = withCString(pdfium, "AS", (key) =>
    readUtf16(pdfium, (buffer, bytes) => call.FPDFAnnot_GetStringValue(annotation, key, buffer, bytes)),
  );
  if (look !== "") return look !== "Off";
  const value = readUtf16(pdfium, (buffer, bytes) => call.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes));
  const own = readUtf16(pdfium, (buffer, bytes) => call.EPDFAnnot_GetButtonExportValue(annotation, buffer, bytes));
  return value !== "" && value !== "Off" && value === own;
}

/** The labels of the options that are chosen, one a line. */
function selectedLabels(pdfium: Pdfium, form: number, annotation: number): string {
  const { call } = pdfium;
  const labels: string[] = [];
  const count = Math.min(call.FPDFAnnot_GetOptionCount(form, annotation), MOST_OPTIONS);
  for (let index = 0; index < count; index += 1) {
    if (call.FPDFAnnot_IsOptionSelected(form, annotation, index) === 0) continue;
    const label = readUtf16(pdfium, (buffer, bytes) =>
      call.FPDFAnnot_GetOptionLabel(form, annotation, index, buffer, bytes),
    );
    if (label !== "") labels.push(label);
  }
  return labels.join("\n");
}

function valueText(pdfium: Pdfium, form: number, annotation: number): string {
  const { call } = pdfium;
  const type = call.FPDFAnnot_GetFormFieldType(form, annotation);
  if (TO_TICK.has(type)) return tickMark(isTicked(pdfium, form, annotation));
  if (!SHOWING_VALUES.has(type)) return "";
  const flags = call.FPDFAnnot_GetFormFieldFlags(form, annotation);
  if (type === TEXT_FIELD && (flags & PASSWORD_FIELD) !== 0) return "";
  const labels = CHOICES.has(type) ? selectedLabels(pdfium, form, annotation) : "";
  // What was typed into a combo box is no option.
  if (labels !== "") return labels;
  return readUtf16(pdfium, (buffer, bytes) => call.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes));
}

/** The value of a widget: of text, combo and list fields that are filled, and of boxes to tick. */
export function readField(pdfium: Pdfium, form: number, annotation: number): FieldValue | undefined {
  const text = valueText(pdfium, form, annotation);
  if (text.trim() === "") return undefined;
  const rectangle = readRectangle(pdfium, (pointer) => pdfium.call.FPDFAnnot_GetRect(annotation, pointer));
  if (rectangle === undefined) return undefined;
  return { ...rectangle, text, mark: isTickMark(text) };
}

/** Type of a value that has no look: no taller than 12 points, and as narrow as its rectangle asks. */
function layOut(text: string, box: Box, object: number): Glyph[] {
  const rows = text.split(/\r\n?|\n/);
  const leading = (box.bottom - box.top) / rows.length;
  const size = Math.min(12, 0.8 * leading);
  const style = { size, bold: false, angle: 0, hidden: false };
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
      const glyph = Glyph.at(own, origin, character, style, object);
      glyph.spaced = spaced;
      return [glyph];
    });
  });
}

/** A mark the size of its box. */
function layMark(text: string, box: Box, object: number): Glyph {
  const size = Math.max(Math.min(box.bottom - box.top, box.right - box.left), 1);
  const origin = { x: box.left, y: box.bottom - 0.15 * size };
  const glyph = Glyph.at(box, origin, text, { size, bold: false, angle: 0, hidden: false }, object);
  glyph.spaced = true;
  return glyph;
}

/** Points; some lines of type. */
const STRIP = 36;
/** Strips that a field's rectangle is looked up in; a page is at most 14,400 points high. */
const MOST_STRIPS = 400;

const middle = (low: number, high: number): number => (low + high) / 2;

/** Glyphs by the strip of the page that their middle lies in, so that each field looks at few of them. */
function byStrip(glyphs: readonly Glyph[]): Map<number, Glyph[]> {
  const strips = new Map<number, Glyph[]>();
  for (const glyph of glyphs) {
    const strip = Math.floor(middle(glyph.top, glyph.bottom) / STRIP);
    const own = strips.get(strip);
    if (own === undefined) strips.set(strip, [glyph]);
    else own.push(glyph);
  }
  return strips;
}

function hasText({ text, box }: ShownValue, strips: ReadonlyMap<number, readonly Glyph[]>): boolean {
  const first = Math.max(Math.floor(box.top / STRIP), 0);
  const last = Math.min(Math.floor(box.bottom / STRIP), first + MOST_STRIPS);
  for (let strip = first; strip <= last; strip += 1) {
    for (const glyph of strips.get(strip) ?? []) {
      const [x, y] = [middle(glyph.left, glyph.right), middle(glyph.top, glyph.bottom)];
      const inside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      if (inside && !showsFrameOnly(text, glyph.text)) return true;
    }
  }
  return false;
}

/** Glyphs for the values whose rectangles (as shown) hold no text; a ticked box that shows only a frame is ticked. */
export function missingValues(values: readonly ShownValue[], glyphs: readonly Glyph[]): Glyph[] {
  if (values.length === 0) return [];
  const strips = byStrip(glyphs);
  return values.flatMap((value, index) => {
    if (hasText(value, strips)) return [];
    const { text, mark, box } = value;
    return mark ? [layMark(text, box, -1 - index)] : layOut(text, box, -1 - index);
  });
}
