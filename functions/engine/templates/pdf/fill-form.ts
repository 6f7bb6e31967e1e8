/** Fills the form of a PDF. */
import { PDFBool, type PDFDict, PDFName } from "@cantoo/pdf-lib";
import { BadRequest, Conflict, type MemberFault, UnprocessableEntity } from "../../../ports/errors.ts";
import type { Json } from "../../../ports/json.ts";
import { dictOf, entry } from "../../forms/acroform/pdf-values.ts";
import { joinFaults, matchValues, refuseMissing, refuseUnknown } from "../field-values.ts";
import { type FilledTemplate, type FillRequest, isImageReference } from "../template.ts";
import { adoptOrphans } from "./adopt-orphans.ts";
import { Faces } from "./faces.ts";
import { fillChoice } from "./fill-choice.ts";
import { fillImage } from "./fill-image.ts";
import { fillText } from "./fill-text.ts";
import { completeShownState, fillToggle } from "./fill-toggle.ts";
import { flattenForm } from "./flatten-form.ts";
import { type FillContext, type FormField, formFields } from "./form-fields.ts";
import { dropUsageRights } from "./form-signatures.ts";
import { type OpenForm, withForm } from "./open-form.ts";
import { canAppendTo, hasManyObjects, OriginalObjects, rewrite } from "./save-form.ts";
import { TextBudget } from "./text-budget.ts";

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

/** Most values of a request whose faults are told at once. */
const MAX_FAULTS = 100;

/** Fills the fields that have a value. @throws BadRequest with the faults of all values */
async function fillFields(
  context: FillContext,
  fields: readonly FormField[],
  values: ReadonlyMap<string, Json>,
): Promise<void> {
  const faults: MemberFault[] = [];
  for (const field of fields) {
    const value = values.get(field.name);
    if (value === undefined) continue;
    try {
      await fillField(context, field, value);
    } catch (error) {
      if (!(error instanceof BadRequest) || error.errors === undefined) throw error;
      faults.push(...error.errors);
      if (faults.length >= MAX_FAULTS) break;
    }
  }
  if (faults.length > 0) throw joinFaults(faults);
}

/** Removes what would make readers draw the form anew, or draw another one: NeedAppearances and XFA. */
function settleForm(form: PDFDict, catalog: PDFDict): void {
  for (const key of ["NeedAppearances", "XFA"]) form.delete(PDFName.of(key));
  catalog.delete(PDFName.of("NeedsRendering"));
}

const hasText = ({ value }: FormField): boolean =>
  typeof value === "string" ? value !== "" : value !== null && value.length > 0;

/** Draws a value that the file has without an appearance. Text fields with an appearance stay as they are. */
async function drawOwnValue(context: FillContext, field: FormField): Promise<void> {
  if (field.type === "checkbox" || field.type === "radio") return completeShownState(context, field);
  const isText = ["text", "multiline", "dropdown", "listbox"].includes(field.type);
  if (!isText || !hasText(field) || field.widgets.every((widget) => dictOf(widget, "AP")?.has(PDFName.of("N")))) return;
  try {
    await fillField(context, { ...field, maxLength: null }, field.value);
  } catch (error) {
    // The value is the file's, not the request's: nobody could mend it.
    if (!(error instanceof BadRequest)) throw error;
  }
}

/** True where the file leaves drawing its values to the reader, which no reader does once they are final. */
function leavesDrawing({ form }: OpenForm, request: FillRequest): boolean {
  return request.flatten || (form !== undefined && entry(form, "NeedAppearances") === PDFBool.True);
}

/** Fields that a strict request must name: those that take a value. */
const isFillable = ({ type }: FormField): boolean => type !== "button" && type !== "signature";

/** Matches the request's values with the fields. @throws BadRequest for unknown or missing names */
function chooseValues(fields: readonly FormField[], request: FillRequest): ReturnType<typeof matchValues> {
  const matched = matchValues(request.fields, new Set(fields.map(({ name }) => name)));
  if (!request.ignoreUnknown) refuseUnknown(matched.unknown);
  if (request.missingIsError) {
    refuseMissing(
      fields.filter((field) => isFillable(field) && !matched.byName.has(field.name)).map(({ name }) => name),
    );
  }
  return matched;
}

async function fillOpen(open: OpenForm, bytes: Uint8Array, request: FillRequest): Promise<FilledTemplate> {
  const { document, catalog, form, signed, decrypted } = open;
  if (signed && request.flatten) {
    throw new Conflict("The PDF is signed; flattening would break its signature. Fill it without flatten");
  }
  const fields = formFields(open.fields);
  if (fields.length === 0) throw new UnprocessableEntity("The PDF has no fields to fill");
  const { byName, unknown } = chooseValues(fields, request);
  // A file that is appended to keeps its fields in its earlier revision, which flattening is to remove.
  const mayAppend = !decrypted && (!request.flatten || hasManyObjects(document));
  const appends = signed || (mayAppend && canAppendTo(document, bytes));
  const original = appends ? new OriginalObjects(document) : undefined;
  const context: FillContext = {
    document,
    form,
    faces: new Faces(document),
    budget: new TextBudget(),
    images: request.images,
    embedded: new Map(),
  };
  await fillFields(context, fields, byName);
  if (leavesDrawing(open, request)) {
    for (const field of fields) if (!byName.has(field.name)) await drawOwnValue(context, field);
  }
  const filled = new Set(fields.filter(({ name }) => byName.has(name)).flatMap(({ widgets }) => widgets));
  settleForm(adoptOrphans(open, filled), catalog);
  if (request.flatten) flattenForm(document, open.pages);
  if (!signed) dropUsageRights(catalog);
  const filledBytes = original === undefined ? await rewrite(document) : await original.append(document, bytes);
  return { bytes: filledBytes, unknownFields: unknown, restrictionsDropped: decrypted };
}

/**
 * Fills a PDF's form. Only the fields given change; the others keep their values and appearances. The changes are
 * appended where they can be, of a signed file always, so that its signatures stay whole.
 * @throws BadRequest for unknown or missing fields and for values that a field does not take; Conflict for flattening a
 *   signed file; UnprocessableEntity for a file that is no form to fill
 */
export function fillForm(bytes: Uint8Array, request: FillRequest): Promise<FilledTemplate> {
  return withForm(bytes, (open) => fillOpen(open, bytes, request), { whole: request.flatten });
}
