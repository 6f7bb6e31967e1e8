/** Reads what annotations add to a page: form field values, links and comments. */
import { type FilledField, readField } from "./form-field-values.ts";
import { type LinkArea, readLink } from "./page-links.ts";
import { type Pdfium, type Rectangle, readRectangle, readUtf16, withCString } from "./pdfium.ts";

/** FPDF_ANNOT_* and FPDF_ANNOT_FLAG_*, fpdf_annot.h. */
const SUBTYPE_TEXT = 1;
const SUBTYPE_LINK = 2;
const SUBTYPE_FREE_TEXT = 3;
const SUBTYPE_STAMP = 13;
const SUBTYPE_POPUP = 16;
const SUBTYPE_WIDGET = 20;
const HIDDEN_FLAGS = 2 | 32;
/** Subtypes whose appearance holds text that is not in the page's own content. */
const SUBTYPES_WITH_TEXT = new Set([SUBTYPE_FREE_TEXT, SUBTYPE_STAMP, SUBTYPE_WIDGET]);
/**
 * The last subtype of the markup annotations (PDF 32000-1, 12.5.6.2): notes, lines, shapes, text marks, stamps, carets,
 * ink, attached files.
 */
const LAST_MARKUP_SUBTYPE = 18;
const NORMAL_APPEARANCE = 0;
/** Operators that show text (PDF 32000-1, 9.4.3), or `Do`. */
const TEXT_OPERATOR = /[\s)\]>](?:Tj|TJ|'|"|Do)(?=\s|$)/;
/** No real page has more; further ones are ignored. */
const MAX_ANNOTATIONS = 20_000;
const MAX_NOTE_CHARACTERS = 100_000;

/** A comment and its place in PDF user space. */
interface NoteArea extends Rectangle {
  text: string;
}

interface PageAnnotations {
  values: FilledField[];
  links: LinkArea[];
  notes: NoteArea[];
  /** True when an appearance shows text that the page's content lacks. */
  appearancesShowText: boolean;
}

/** Tells whether an annotation's appearance shows text, itself or in a form that it draws. */
function showsText(pdfium: Pdfium, annotation: number): boolean {
  const appearance = readUtf16(pdfium, (buffer, bytes) =>
    pdfium.call.FPDFAnnot_GetAP(annotation, NORMAL_APPEARANCE, buffer, bytes),
  );
  return TEXT_OPERATOR.test(appearance);
}

/** Reads the text of a note; a note that marks the state of a review (`Accepted`) has none. */
function readNote(pdfium: Pdfium, annotation: number, subtype: number): NoteArea | undefined {
  const { call } = pdfium;
  const text = withCString(pdfium, "Contents", (key) =>
    readUtf16(
      pdfium,
      (buffer, bytes) => call.FPDFAnnot_GetStringValue(annotation, key, buffer, bytes),
      MAX_NOTE_CHARACTERS,
    ),
  ).trim();
  if (text === "") return undefined;
  if (
    subtype === SUBTYPE_TEXT &&
    withCString(pdfium, "StateModel", (key) => call.FPDFAnnot_HasKey(annotation, key)) !== 0
  )
    return undefined;
  const rectangle = readRectangle(pdfium, (pointer) => call.FPDFAnnot_GetRect(annotation, pointer));
  return rectangle === undefined ? undefined : { ...rectangle, text };
}

interface DocumentHandles {
  document: number;
  /** 0 when the document has no form. */
  form: number;
}

function readAnnotation(pdfium: Pdfium, open: DocumentHandles, annotation: number, found: PageAnnotations): void {
  const { call } = pdfium;
  const subtype = call.FPDFAnnot_GetSubtype(annotation);
  // One field with text is enough to know that the page needs flattening.
  const isKnown = subtype === SUBTYPE_WIDGET && found.appearancesShowText;
  const shown = SUBTYPES_WITH_TEXT.has(subtype) && !isKnown && showsText(pdfium, annotation);
  found.appearancesShowText ||= shown;
  if ((call.FPDFAnnot_GetFlags(annotation) & HIDDEN_FLAGS) !== 0) return;
  if (subtype === SUBTYPE_WIDGET) {
    const value = open.form === 0 ? undefined : readField(pdfium, open.form, annotation);
    if (value !== undefined) found.values.push(value);
  } else if (subtype === SUBTYPE_LINK) {
    found.links.push(...readLink(pdfium, open.document, annotation));
  } else if (subtype >= SUBTYPE_TEXT && subtype <= LAST_MARKUP_SUBTYPE && subtype !== SUBTYPE_POPUP && !shown) {
    const note = readNote(pdfium, annotation, subtype);
    if (note !== undefined) found.notes.push(note);
  }
}

/** Reads the visible annotations of a page, before the page is flattened. */
export function readAnnotations(pdfium: Pdfium, open: DocumentHandles, page: number): PageAnnotations {
  const { call } = pdfium;
  const found: PageAnnotations = { values: [], links: [], notes: [], appearancesShowText: false };
  const count = Math.min(call.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  for (let index = 0; index < count; index += 1) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    try {
      readAnnotation(pdfium, open, annotation, found);
    } finally {
      call.FPDFPage_CloseAnnot(annotation);
    }
  }
  return found;
}
