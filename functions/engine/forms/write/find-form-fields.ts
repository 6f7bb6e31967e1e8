/** All fields of a document: those that it has, and the places to write that are found beside them. */
import { withForm } from "../../templates/pdf/open-form.ts";
import type { DetectionOptions } from "../detect/define-fields.ts";
import { detectForm, type FormSource } from "../detect/detect-form.ts";
import type { FieldDefinition } from "../field-definition.ts";
import { isSamePlace } from "./entry-place.ts";
import { existingDefinitions } from "./existing-fields.ts";

/**
 * Finds the fields of a PDF, page by page. A place at which it has a field already is not found again.
 * @param source the pages, all by default, and the layout's words for pages that are pictures
 * @throws UnprocessableEntity for a PDF that is damaged, needs a password or forbids forms
 */
export async function findFormFields(
  bytes: Uint8Array,
  options: DetectionOptions,
  source: FormSource = {},
): Promise<FieldDefinition[]> {
  const isWanted = ({ pageNumber }: FieldDefinition): boolean =>
    source.pages === undefined || source.pages.includes(pageNumber);
  const own = await withForm(bytes, ({ fields, pages }) => existingDefinitions(fields, pages));
  const existing = own.filter(isWanted);
  const byPage = Map.groupBy(existing, ({ pageNumber }) => pageNumber);
  const isNew = ({ pageNumber, entryBbox }: FieldDefinition): boolean =>
    byPage.get(pageNumber)?.some((known) => isSamePlace(known.entryBbox, entryBbox)) !== true;
  const found = (await detectForm(bytes, options, source)).filter(isNew);
  // A stable sort: on each page the document's own fields come first.
  return [...existing, ...found].sort((one, other) => one.pageNumber - other.pageNumber);
}
