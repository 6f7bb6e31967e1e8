/** Forms made flat: their pages as printed, with no trace of the fields. */
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFRef } from "@cantoo/pdf-lib";

const WIDGET = PDFName.of("Widget");
const [ANNOTS, KIDS, SUBTYPE] = [PDFName.of("Annots"), PDFName.of("Kids"), PDFName.of("Subtype")];
/** Entries of the catalog that tell of the form: its fields, and a structure tree that names them. */
const FORM_ENTRIES = ["AcroForm", "StructTreeRoot", "Perms", "NeedsRendering"];

const isWidget = (object: unknown): object is PDFDict => object instanceof PDFDict && object.lookup(SUBTYPE) === WIDGET;

/**
 * Removes the form of a PDF: the field tree, the widgets and what they look like. The page content stays as it is.
 * Objects are written one by one, so that nothing of a form hides in a compressed stream of objects.
 */
export async function stripForm(bytes: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { password: "", updateMetadata: false, throwOnInvalidObject: false });
  const { context } = document;
  for (const page of document.getPages()) {
    const annotations = page.node.lookup(ANNOTS);
    if (!(annotations instanceof PDFArray)) continue;
    const kept = annotations.asArray().filter((one) => !isWidget(context.lookup(one)));
    page.node.set(ANNOTS, context.obj(kept));
  }
  for (const name of FORM_ENTRIES) document.catalog.delete(PDFName.of(name));
  dropUnreachable(document);
  return document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false });
}

/** Deletes the objects that nothing names any more: field tree, widgets, appearances, XFA. */
function dropUnreachable({ context }: PDFDocument): void {
  const reached = new Set<string>();
  const open: unknown[] = Object.values(context.trailerInfo);
  while (open.length > 0) {
    const next = open.pop();
    if (next instanceof PDFRef) {
      if (reached.has(next.toString())) continue;
      reached.add(next.toString());
      const object = context.lookup(next);
      // Structure elements lead back to widgets.
      if (isWidget(object)) continue;
      open.push(object);
    } else if (next instanceof PDFArray) open.push(...next.asArray());
    else if (next instanceof PDFDict) open.push(...next.values());
    else if (typeof next === "object" && next !== null && "dict" in next) open.push(next.dict);
  }
  for (const [reference, object] of context.enumerateIndirectObjects()) {
    if (!reached.has(reference.toString()) || isWidget(object)) context.delete(reference);
    else if (object instanceof PDFDict && object.has(PDFName.of("FT")) && object.has(KIDS)) context.delete(reference);
  }
}
