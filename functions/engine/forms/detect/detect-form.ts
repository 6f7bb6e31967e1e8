/** Finds the places to write in a PDF. */
import type { Box } from "../../../ports/layout.ts";
import { withPdf } from "../../readers/pdf/pdf-document.ts";
import { acroFormMetadata } from "../acroform/acroform-metadata.ts";
import type { FieldDefinition } from "../field-definition.ts";
import { DETECTION_DEFAULTS, type DetectionOptions, detectFields } from "./define-fields.ts";
import { formPageContent } from "./pdf-page-content.ts";

/** The fields that a document already has: their places by page, from 1, in points as shown, and their names. */
async function ownFields(bytes: Uint8Array): Promise<{ widgets: Map<number, Box[]>; names: string[] }> {
  const { fields } = await acroFormMetadata(bytes);
  const anchors = fields.flatMap((field) => field.widgets.flatMap((widget) => widget.pageAnchors));
  const byPage = Map.groupBy(anchors, ({ pageNumber }) => pageNumber);
  return {
    widgets: new Map([...byPage].map(([page, own]) => [page, own.map(({ bbox }) => bbox)])),
    names: fields.map(({ name }) => name),
  };
}

/**
 * Finds the places to write in a PDF, in reading order, page by page; fields that the document already has are left out.
 * @param pages the pages wanted, from 1; all of them by default
 * @throws JobFailure: password protected or corrupted
 */
export async function detectForm(
  bytes: Uint8Array,
  options: DetectionOptions = DETECTION_DEFAULTS,
  pages?: readonly number[],
): Promise<FieldDefinition[]> {
  const { widgets, names } = await ownFields(bytes);
  const contents = await withPdf(bytes, (document) =>
    (pages ?? Array.from({ length: document.pageCount }, (_, index) => index + 1))
      .filter((page) => page <= document.pageCount)
      .map((number) => document.withPage(number - 1, (page) => formPageContent(page, number, widgets.get(number)))),
  );
  return detectFields(contents, options, names);
}
