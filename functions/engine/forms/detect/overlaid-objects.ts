/** Texts that lie over a page's own content as small forms: values of a form that a program made part of its pages. */

import type { Glyph } from "../../readers/pdf/glyph.ts";
import { pageGlyphs } from "../../readers/pdf/page-glyphs.ts";
import { OBJECT_TEXT, objectsOf, type PlacedObject } from "../../readers/pdf/page-objects.ts";
import { oncePerPage, type PdfPage } from "../../readers/pdf/pdf-page.ts";
import { withMemory } from "../../readers/pdf/pdfium.ts";

/** Characters of one overlaid text at most, and share of a page's characters in all: more is the page itself. */
const MAX_CHARACTERS = 600;
const MAX_SHARE = 0.6;

/** The name of marked content that is the text of a field (PDF 32000-1, 12.7.3.3), in UTF-16 with its terminator. */
const FIELD_TEXT_MARK = [0x54, 0, 0x78, 0, 0, 0];
const SCRATCH_BYTES = 64;
const NAME_BYTES = SCRATCH_BYTES - 8;
/** Characters of the sign in a ticked box at most. */
const MAX_TICK_CHARACTERS = 2;

/** Groups of text objects, each of one overlaid text, by the objects' handles. */
export type OverlaidObjects = ReadonlyMap<number, number>;

const NONE: OverlaidObjects = new Map();

/** The form on the page that holds an object. */
function outermostForm({ scope: { form } }: PlacedObject): PlacedObject | undefined {
  let outermost = form;
  for (let next = form; next !== undefined; next = next.scope.form) outermost = next;
  return outermost;
}

/** Text objects that are marked as the texts of fields. */
function fieldTexts({ pdfium }: PdfPage, texts: readonly PlacedObject[]): PlacedObject[] {
  const { call } = pdfium;
  return withMemory(pdfium, SCRATCH_BYTES, (scratch) => {
    const isFieldText = (mark: number): boolean =>
      call.FPDFPageObjMark_GetName(mark, scratch + 8, NAME_BYTES, scratch) !== 0 &&
      pdfium.view().getUint32(scratch, true) === FIELD_TEXT_MARK.length &&
      FIELD_TEXT_MARK.every((byte, at) => pdfium.view().getUint8(scratch + 8 + at) === byte);
    return texts.filter(({ handle }) => {
      const count = call.FPDFPageObj_CountMarks(handle);
      return Array.from({ length: count }, (_, index) => call.FPDFPageObj_GetMark(handle, index)).some(isFieldText);
    });
  });
}

/** Numbers the groups of objects by the forms that hold them. */
function grouped(objects: readonly PlacedObject[], formOf: (object: PlacedObject) => PlacedObject | undefined) {
  const numbers = new Map<PlacedObject | undefined, number>();
  return new Map(
    objects.map(({ handle, ...rest }) => {
      const form = formOf({ handle, ...rest });
      const number = numbers.get(form) ?? numbers.size;
      numbers.set(form, number);
      return [handle, number] as const;
    }),
  );
}

/** Numbers of characters by what holds them. */
function countBy(glyphs: readonly Glyph[], formOf: ReadonlyMap<number, PlacedObject>): Map<PlacedObject, number> {
  const counts = new Map<PlacedObject, number>();
  for (const { object } of glyphs) {
    const form = formOf.get(object);
    if (form !== undefined) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return counts;
}

function findOverlaid(page: PdfPage): OverlaidObjects {
  const texts = objectsOf(page).filter(({ type, scope }) => type === OBJECT_TEXT && scope.form !== undefined);
  if (texts.length === 0) return NONE;
  const glyphs = pageGlyphs(page);
  const marked = fieldTexts(page, texts);
  if (marked.length > 0) {
    // The file tells which texts are values: others are captions of buttons and of the form, and signs in ticked boxes.
    const values = new Set(marked);
    const own = new Map(texts.flatMap((text) => (text.scope.form ? [[text.handle, text.scope.form] as const] : [])));
    const counts = countBy(glyphs, own);
    const isTick = ({ scope: { form } }: PlacedObject): boolean =>
      form !== undefined && (counts.get(form) ?? 0) <= MAX_TICK_CHARACTERS;
    return grouped(
      texts.filter((text) => values.has(text) || isTick(text)),
      ({ scope: { form } }) => form,
    );
  }
  const formOf = new Map(
    texts.flatMap((text) => {
      const form = outermostForm(text);
      return form === undefined ? [] : [[text.handle, form] as const];
    }),
  );
  const small = [...countBy(glyphs, formOf)].filter(([, count]) => count <= MAX_CHARACTERS);
  const characters = small.reduce((sum, [, count]) => sum + count, 0);
  if (characters > MAX_SHARE * glyphs.length) return NONE;
  const forms = new Set(small.map(([form]) => form));
  const isSmall = ({ handle }: PlacedObject): boolean => {
    const form = formOf.get(handle);
    return form !== undefined && forms.has(form);
  };
  return grouped(texts.filter(isSmall), outermostForm);
}

/** The text objects that lie over the page's own content. */
export const overlaidObjects: (page: PdfPage) => OverlaidObjects = oncePerPage(findOverlaid);
