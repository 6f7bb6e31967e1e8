/** Fills the form of a PDF. */
import { PDFArray, PDFDict, PDFName } from "@cantoo/pdf-lib";
import { Conflict, UnprocessableEntity } from "../../../ports/errors.ts";
import type { Json } from "../../../ports/json.ts";
import { dictOf, entry, textOf } from "../../forms/acroform/pdf-values.ts";
import { type FilledTemplate, type FillRequest, isImageReference, type TemplateField } from "../template.ts";
import { Faces } from "./faces.ts";
import { matchValues, refuseMissing, refuseUnknown } from "./field-values.ts";
import { fillChoice } from "./fill-choice.ts";
import { fillImage } from "./fill-image.ts";
import { fillText } from "./fill-text.ts";
import { fillToggle } from "./fill-toggle.ts";
import { flattenForm } from "./flatten-form.ts";
import { type FillContext, type FormField, formFields } from "./form-fields.ts";
import { dropUsageRights } from "./form-signatures.ts";
import { type OpenForm, openForm } from "./open-form.ts";
import { OriginalObjects, rewrite } from "./save-form.ts";

/** Fills a field by its type. @throws BadRequest for a value that the field does not take */
async function fillField(context: FillContext, field: FormField, value: Json): Promise<void> {
  if (isImageReference(value)) return fillImage(context, field, value);
  switch (field.type) {
    case "text":
    case "multiline":
      return fillText(context, field, value);
    case "checkbox":
    case "radio":
      return fillToggle(context, field, value);
    case "dropdown":
    case "listbox":
      return fillChoice(context, field, value);
    default:
      return fillImage(context, field, value);
  }
}

/** Gives fields that stand on pages only their place in the form, so that readers of forms find them. */
function adoptOrphans({ document, catalog, form, fields }: OpenForm, filled: ReadonlySet<PDFDict>): PDFDict {
  const { context } = document;
  const own = form ?? (context.obj({ Fields: [] }) as PDFDict);
  if (form === undefined) catalog.set(PDFName.of("AcroForm"), context.register(own));
  const listed = entry(own, "Fields");
  const roots = listed instanceof PDFArray ? listed : (context.obj([]) as PDFArray);
  if (roots !== listed) own.set(PDFName.of("Fields"), roots);
  const inTree = reachable(roots);
  for (const { widgets } of fields) {
    for (const widget of widgets) {
      const root = rootOf(widget);
      if (inTree.has(root) || !filled.has(widget)) continue;
      inTree.add(root);
      roots.push(context.getObjectRef(root) ?? context.register(root));
    }
  }
  return own;
}

const MAX_DEPTH = 64;

function rootOf(widget: PDFDict): PDFDict {
  let at = widget;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const above = dictOf(at, "Parent");
    if (above === undefined) return at;
    at = above;
  }
  return at;
}

function reachable(roots: PDFArray): Set<PDFDict> {
  const found = new Set<PDFDict>();
  for (let index = 0; index < roots.size(); index += 1) {
    const root = roots.lookup(index);
    if (root instanceof PDFDict) found.add(root);
  }
  return found;
}

/** Removes what would make readers draw the form anew, or draw another one: NeedAppearances and XFA. */
function settleForm(form: PDFDict, catalog: PDFDict): void {
  for (const key of ["NeedAppearances", "XFA"]) form.delete(PDFName.of(key));
  catalog.delete(PDFName.of("NeedsRendering"));
}

/** A field whose value is there without an appearance, in a form that left drawing to the reader. */
function isUndrawn({ type, value, widgets }: FormField): boolean {
  const hasText = typeof value === "string" ? value !== "" : value !== null && value.length > 0;
  if (!hasText || !["text", "multiline", "dropdown", "listbox"].includes(type)) return false;
  return widgets.some((widget) => dictOf(widget, "AP") === undefined);
}

/** The missing ones of a strict request: every field that takes a value. */
const fillable = ({ type }: TemplateField): boolean => type !== "button" && type !== "signature";

async function drawUndrawn(
  context: FillContext,
  open: OpenForm,
  fields: readonly FormField[],
  given: ReadonlySet<string>,
): Promise<void> {
  if (open.form === undefined || textOf(entry(open.form, "NeedAppearances")) === "false") return;
  if (String(entry(open.form, "NeedAppearances")) !== "true") return;
  for (const field of fields) {
    if (!given.has(field.name) && isUndrawn(field))
      await fillField({ ...context }, { ...field, maxLength: null }, field.value);
  }
}

/**
 * Fills a PDF's form. Only the fields given change; the others keep their values and appearances. A signed file is
 * appended to, so that its signatures stay whole.
 * @throws BadRequest for unknown or missing fields and for values that a field does not take; Conflict for flattening a
 *   signed file; UnprocessableEntity for a file that is no form to fill
 */
export async function fillForm(bytes: Uint8Array, request: FillRequest): Promise<FilledTemplate> {
  const open = await openForm(bytes);
  const { document, pages } = open;
  if (open.signed && request.flatten) {
    throw new Conflict("The PDF is signed; flattening would break its signature. Fill it without flatten");
  }
  const original = open.signed ? new OriginalObjects(document) : undefined;
  const fields = formFields(open.fields);
  if (fields.length === 0) throw new UnprocessableEntity("The PDF has no fields to fill");
  const { byName, unknown } = matchValues(request.fields, new Set(fields.map(({ name }) => name)));
  if (!request.ignoreUnknown) refuseUnknown(unknown);
  if (request.missingIsError) {
    refuseMissing(fields.filter((field) => fillable(field) && !byName.has(field.name)).map(({ name }) => name));
  }
  const context: FillContext = {
    document,
    form: open.form,
    faces: new Faces(document),
    images: request.images,
    embedded: new Map(),
  };
  const filled = new Set<PDFDict>();
  for (const field of fields) {
    const value = byName.get(field.name);
    if (value === undefined) continue;
    await fillField(context, field, value);
    for (const widget of field.widgets) filled.add(widget);
  }
  await drawUndrawn(context, open, fields, new Set(byName.keys()));
  settleForm(adoptOrphans(open, filled), open.catalog);
  if (request.flatten) flattenForm(document, pages);
  if (original === undefined) dropUsageRights(open.catalog);
  const filledBytes = original === undefined ? await rewrite(document) : await original.append(document, bytes);
  return { bytes: filledBytes, unknownFields: unknown, restrictionsDropped: open.decrypted };
}
