/**
 * Values of form fields. A field's value shows in the page's text through the field's appearance. Where a file has no
 * appearance (it asks the viewer to draw one), the value is laid out in the field's rectangle.
 */
import type { Box } from "../../../ports/layout.ts";
import { checkboxCharacter, isCheckboxCharacter, showsEmptyBoxOnly } from "../../layout/checkbox-characters.ts";
import { Glyph } from "./glyph.ts";
import { type Pdfium, type Rectangle, readRectangle, readUtf16, withCString } from "./pdfium.ts";

/** A filled field: its rectangle in PDF user space (points) and its value. */
export interface FilledField extends Rectangle {
  text: string;
  /** True for a checkbox or radio button; `text` is then its mark. */
  isToggle: boolean;
}

/** A field's value on the page as shown, in points. */
export interface ShownField {
  text: string;
  isToggle: boolean;
  box: Box;
}

/** FPDF_FORMFIELD_*, fpdf_formfill.h. */
const TOGGLE_FIELD_TYPES = new Set([2, 3]);
const VALUE_FIELD_TYPES = new Set([4, 5, 6]);
/** Types that offer options; a page shows the options' labels (PDF 32000-1, 12.7.4.4). */
const CHOICE_FIELD_TYPES = new Set([4, 5]);
const MAX_OPTIONS = 1_000;
/** Flag of a text field that hides its content (PDF 32000-1, table 228). */
const PASSWORD_FLAG = 1 << 13;
const TEXT_FIELD_TYPE = 6;

/** Opens the document's form for `use`; passes 0 when it has none. */
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
 * Tells whether a checkbox is checked: by the state of its appearance, else by comparing the field's value with the
 * button's own. (pdfium's own answer needs a page view, which would run the file's scripts.)
 */
function isChecked(pdfium: Pdfium, form: number, annotation: number): boolean {
  const { call } = pdfium;
  const state = withCString(pdfium, "AS", (key) =>
    readUtf16(pdfium, (buffer, bytes) => call.FPDFAnnot_GetStringValue(annotation, key, buffer, bytes)),
  );
  if (state !== "") return state !== "Off";
  const value = readUtf16(pdfium, (buffer, bytes) => call.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes));
  const own = readUtf16(pdfium, (buffer, bytes) => call.EPDFAnnot_GetButtonExportValue(annotation, buffer, bytes));
  return value !== "" && value !== "Off" && value === own;
}

/** Labels of the selected options, one a line. */
function selectedLabels(pdfium: Pdfium, form: number, annotation: number): string {
  const { call } = pdfium;
  const labels: string[] = [];
  const count = Math.min(call.FPDFAnnot_GetOptionCount(form, annotation), MAX_OPTIONS);
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
  if (TOGGLE_FIELD_TYPES.has(type)) return checkboxCharacter(isChecked(pdfium, form, annotation));
  if (!VALUE_FIELD_TYPES.has(type)) return "";
  const flags = call.FPDFAnnot_GetFormFieldFlags(form, annotation);
  if (type === TEXT_FIELD_TYPE && (flags & PASSWORD_FLAG) !== 0) return "";
  const labels = CHOICE_FIELD_TYPES.has(type) ? selectedLabels(pdfium, form, annotation) : "";
  // Text typed into a combo box is no option.
  if (labels !== "") return labels;
  return readUtf16(pdfium, (buffer, bytes) => call.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes));
}

/** Reads the value of a widget: a filled text, combo or list field, or a checkbox. */
export function readField(pdfium: Pdfium, form: number, annotation: number): FilledField | undefined {
  const text = valueText(pdfium, form, annotation);
  if (text.trim() === "") return undefined;
  const rectangle = readRectangle(pdfium, (pointer) => pdfium.call.FPDFAnnot_GetRect(annotation, pointer));
  if (rectangle === undefined) return undefined;
  return { ...rectangle, text, isToggle: isCheckboxCharacter(text) };
}

/** Lays out a value without appearance: type of 12 points at most, as narrow as its rectangle requires. */
function layOutText(text: string, box: Box, object: number): Glyph[] {
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
      const glyph = Glyph.single(own, origin, character, style, object);
      glyph.spaced = spaced;
      return [glyph];
    });
  });
}

/** A mark the size of its checkbox. */
function layOutMark(text: string, box: Box, object: number): Glyph {
  const size = Math.max(Math.min(box.bottom - box.top, box.right - box.left), 1);
  const origin = { x: box.left, y: box.bottom - 0.15 * size };
  const glyph = Glyph.single(box, origin, text, { size, bold: false, angle: 0, hidden: false }, object);
  glyph.spaced = true;
  return glyph;
}

/** Height of a strip of the page, a few lines of type. */
const STRIP_POINTS = 36;
/** Limit of strips searched for one field; a page is at most 14,400 points high. */
const MAX_FIELD_STRIPS = 400;

const midpoint = (low: number, high: number): number => (low + high) / 2;

/** Glyphs by the strip of their centre, so that each field checks few of them. */
function glyphsByStrip(glyphs: readonly Glyph[]): Map<number, Glyph[]> {
  const strips = new Map<number, Glyph[]>();
  for (const glyph of glyphs) {
    const strip = Math.floor(midpoint(glyph.top, glyph.bottom) / STRIP_POINTS);
    const own = strips.get(strip);
    if (own === undefined) strips.set(strip, [glyph]);
    else own.push(glyph);
  }
  return strips;
}

function holdsText({ text, box }: ShownField, strips: ReadonlyMap<number, readonly Glyph[]>): boolean {
  const first = Math.max(Math.floor(box.top / STRIP_POINTS), 0);
  const last = Math.min(Math.floor(box.bottom / STRIP_POINTS), first + MAX_FIELD_STRIPS);
  for (let strip = first; strip <= last; strip += 1) {
    for (const glyph of strips.get(strip) ?? []) {
      const [x, y] = [midpoint(glyph.left, glyph.right), midpoint(glyph.top, glyph.bottom)];
      const inside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      if (inside && !showsEmptyBoxOnly(text, glyph.text)) return true;
    }
  }
  return false;
}

/**
 * Glyphs for the values whose rectangles (as shown) hold no text. A checked checkbox that shows only its frame gets its
 * mark.
 */
export function missingValueGlyphs(values: readonly ShownField[], glyphs: readonly Glyph[]): Glyph[] {
  if (values.length === 0) return [];
  const strips = glyphsByStrip(glyphs);
  return values.flatMap((value, index) => {
    if (holdsText(value, strips)) return [];
    const { text, isToggle, box } = value;
    return isToggle ? [layOutMark(text, box, -1 - index)] : layOutText(text, box, -1 - index);
  });
}
