/** Gives fields that stand on pages only their place in the form, so that readers of forms find them. */
import { PDFArray, PDFDict, PDFName, PDFRef } from "@cantoo/pdf-lib";
import { ancestorChain, entry, membersOf, resolveReferences } from "../../forms/acroform/pdf-values.ts";
import type { OpenForm } from "./open-form.ts";

const rootOf = (widget: PDFDict): PDFDict => ancestorChain(widget).at(-1) ?? widget;

/** The references by which pages name their widgets, and widgets their parents. */
function referencesOf({ document, pages }: OpenForm): Map<PDFDict, PDFRef> {
  const found = new Map<PDFDict, PDFRef>();
  const note = (holder: PDFDict, value: unknown): void => {
    const dict = value instanceof PDFRef ? resolveReferences(holder.context, value) : undefined;
    if (value instanceof PDFRef && dict instanceof PDFDict) found.set(dict, value);
  };
  for (const { dict, widgets } of pages) {
    const annotations = entry(dict, "Annots");
    if (annotations instanceof PDFArray) for (const one of annotations.asArray()) note(document.catalog, one);
    for (const at of widgets.flatMap(ancestorChain)) note(at, at.get(PDFName.of("Parent")));
  }
  return found;
}

/**
 * Adds the filled orphans to the form.
 * @returns the form, which is new where the file has none
 */
export function adoptOrphans(open: OpenForm, filled: ReadonlySet<PDFDict>): PDFDict {
  const { document, catalog, form } = open;
  const { context } = document;
  const own = form ?? (context.obj({ Fields: [] }) as PDFDict);
  if (form === undefined) catalog.set(PDFName.of("AcroForm"), context.register(own));
  const listed = entry(own, "Fields");
  const roots = listed instanceof PDFArray ? listed : (context.obj([]) as PDFArray);
  if (roots !== listed) own.set(PDFName.of("Fields"), roots);
  const known = new Set(membersOf(roots));
  const orphans = new Set([...filled].map(rootOf).filter((root) => !known.has(root)));
  if (orphans.size === 0) return own;
  const references = referencesOf(open);
  for (const root of orphans) roots.push(references.get(root) ?? context.register(root));
  return own;
}
