/** What annotations add to a page: values of form fields, links, and what people wrote beside the text. */
import { type FieldValue, readField } from "./form-field-values.ts";
import { type LinkArea, readLink } from "./page-links.ts";
import { type Pdfium, type Rectangle, readRectangle, readUtf16, withCString } from "./pdfium.ts";

/** FPDF_ANNOT_* and FPDF_ANNOT_FLAG_*, fpdf_annot.h. */
const TEXT = 1;
const LINK = 2;
const FREE_TEXT = 3;
const STAMP = 13;
const POPUP = 16;
const WIDGET = 20;
const HIDDEN_OR_NOT_VIEWED = 2 | 32;
/** Those whose looks hold text that is not in the page's own content. */
const TEXT_BEARERS = new Set([FREE_TEXT, STAMP, WIDGET]);
/** Notes, lines, shapes, marks on text, stamps, carets, ink, attached files: what PDF 32000-1, 12.5.6.2 calls markup. */
const LAST_MARKUP = 18;
const NORMAL_LOOK = 0;
/** Operators that show text (PDF 32000-1, 9.4.3), or `Do`. */
const TEXT_OPERATOR = /[\s)\]>](?:Tj|TJ|'|"|Do)(?=\s|$)/;
/** No page has more; what a hostile one has beyond is left. */
const MOST_ANNOTATIONS = 20_000;
const LONGEST_NOTE = 100_000;

/** A comment, its place in PDF user space. */
interface NoteArea extends Rectangle {
  text: string;
}

interface PageAnnotations {
  values: FieldValue[];
  links: LinkArea[];
  notes: NoteArea[];
  /** Whether a look shows text that the page's content lacks. */
  showText: boolean;
}

/** Whether an annotation's look shows text, itself or in a form that it draws. */
function showsText(pdfium: Pdfium, annotation: number): boolean {
  const look = readUtf16(pdfium, (buffer, bytes) =>
    pdfium.call.FPDFAnnot_GetAP(annotation, NORMAL_LOOK, buffer, bytes),
  );
  return TEXT_OPERATOR.test(look);
}

/** A note's text; what marks the state of a review (`Accepted`) is none. */
function readNote(pdfium: Pdfium, annotation: number, subtype: number): NoteArea | undefined {
  const { call } = pdfium;
  const text = withCString(pdfium, "Contents", (key) =>
    readUtf16(pdfium, (buffer, bytes) => call.FPDFAnnot_GetStringValue(annotation, key, buffer, bytes), LONGEST_NOTE),
  ).trim();
  if (text === "") return undefined;
  if (subtype === TEXT && withCString(pdfium, "StateModel", (key) => call.FPDFAnnot_HasKey(annotation, key)) !== 0)
    return undefined;
  const rectangle = readRectangle(pdfium, (pointer) => call.FPDFAnnot_GetRect(annotation, pointer));
  return rectangle === undefined ? undefined : { ...rectangle, text };
}

interface Open {
  document: number;
  /** 0 when the document has no form. */
  form: number;
}

function readAnnotation(pdfium: Pdfium, open: Open, annotation: number, found: PageAnnotations): void {
  const { call } = pdfium;
  const subtype = call.FPDFAnnot_GetSubtype(annotation);
  // A page of a hundred fields is known by the first of them.
  const known = subtype === WIDGET && found.showText;
  const shown = TEXT_BEARERS.has(subtype) && !known && showsText(pdfium, annotation);
  found.showText ||= shown;
  if ((call.FPDFAnnot_GetFlags(annotation) & HIDDEN_OR_NOT_VIEWED) !== 0) return;
  if (subtype === WIDGET) {
    const value = open.form === 0 ? undefined : readField(pdfium, open.form, annotation);
    if (value !== undefined) found.values.push(value);
  } else if (subtype === LINK) {
    found.links.push(...readLink(pdfium, open.document, annotation));
  } else if (subtype >= TEXT && subtype <= LAST_MARKUP && subtype !== POPUP && !shown) {
    const note = readNote(pdfium, annotation, subtype);
    if (note !== undefined) found.notes.push(note);
  }
}

/** What the annotations of a page hold that viewers show, before the page is flattened. */
export function readAnnotations(pdfium: Pdfium, open: Open, page: number): PageAnnotations {
  const { call } = pdfium;
  const found: PageAnnotations = { values: [], links: [], notes: [], showText: false };
  const count = Math.min(call.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS);
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
