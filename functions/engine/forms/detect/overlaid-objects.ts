/** Texts that lie over a page's own content as small forms: values of a form that a program made part of its pages. */

import { pageGlyphs } from "../../readers/pdf/page-glyphs.ts";
import { objectsOf, type PlacedObject } from "../../readers/pdf/page-objects.ts";
import { oncePerPage, type PdfPage } from "../../readers/pdf/pdf-page.ts";

/** Characters of one overlaid text at most, and share of a page's characters in all: more is the page itself. */
const MAX_CHARACTERS = 600;
const MAX_SHARE = 0.6;

/** The form on the page that holds an object. */
function outermostForm({ scope: { form } }: PlacedObject): PlacedObject | undefined {
  let outermost = form;
  for (let next = form; next !== undefined; next = next.scope.form) outermost = next;
  return outermost;
}

function findOverlaid(page: PdfPage): ReadonlySet<number> {
  const formOf = new Map<number, PlacedObject>();
  for (const object of objectsOf(page)) {
    const form = outermostForm(object);
    if (form !== undefined) formOf.set(object.handle, form);
  }
  if (formOf.size === 0) return new Set();
  const glyphs = pageGlyphs(page);
  const counts = new Map<PlacedObject, number>();
  for (const { object } of glyphs) {
    const form = formOf.get(object);
    if (form !== undefined) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const small = [...counts].filter(([, count]) => count <= MAX_CHARACTERS);
  const characters = small.reduce((sum, [, count]) => sum + count, 0);
  if (characters > MAX_SHARE * glyphs.length) return new Set();
  const forms = new Set(small.map(([form]) => form));
  return new Set([...formOf].flatMap(([object, form]) => (forms.has(form) ? [object] : [])));
}

/** Handles of the text objects that lie over the page's own content. */
export const overlaidObjects: (page: PdfPage) => ReadonlySet<number> = oncePerPage(findOverlaid);
