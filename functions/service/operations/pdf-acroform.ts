/** The operation pdf-acroform: the places to write on a PDF's pages become a form. */

import { FIELD_NAME_STYLES } from "../../engine/forms/field-definition.ts";
import { parameterReaderOf } from "../../engine/nodes/parameter-specs.ts";
import { formDetectTask } from "../../engine/tasks/form-detect.ts";
import { Conflict } from "../../ports/errors.ts";
import { encodeJson } from "../../ports/json.ts";
import { PDF } from "../../ports/media-types.ts";
import { OCR_MODES, type OcrMode } from "../../ports/ocr.ts";
import type { Material, Parameters } from "../runs/run-command.ts";
import { loadBlob } from "./load-material.ts";
import { loadDocument, pagesOf, writeFormFiles } from "./make-form.ts";
import type { Operation, OperationContext } from "./operation.ts";

const REMEDY = "process it with ocr PREMIUM first, or set forceOcr to true";

/** @throws Conflict for a job without a PDF that can be opened */
export function requirePdf({ guid, mimeType, hasPassword }: Material): void {
  if (mimeType !== PDF) {
    throw new Conflict(`The document of job ${guid} is of type ${mimeType}; a form can be made of a PDF only`);
  }
  if (hasPassword === true) {
    throw new Conflict(
      `The document of job ${guid} opens with a password, which the service has erased; upload a copy without one`,
    );
  }
}

/** @throws Conflict for a job whose pages were not read, so that words on scanned pages have no places */
function requirePages({ guid, layoutKey, ocr, unreadPages }: Material, { forceOcr }: Parameters): void {
  if (forceOcr === true) return;
  if (layoutKey === undefined) throw new Conflict(`Job ${guid} has no images of its pages; ${REMEDY}`);
  if (ocr === "LOW") {
    throw new Conflict(`Job ${guid} was read with ocr LOW, which keeps no places of words; ${REMEDY}`);
  }
  if (unreadPages !== undefined && unreadPages > 0) {
    throw new Conflict(`${unreadPages} pages of job ${guid} are images that were not read; ${REMEDY}`);
  }
}

/** The definitions of the document's fields; a repeated step finds those that it stored. */
async function findDefinitions(
  { org, material, deadline, files, progress }: OperationContext,
  bytes: Uint8Array,
  { fieldNameStyle, minConfidence, maxFieldsPerPage, pageRange }: Parameters,
): Promise<Uint8Array> {
  const found = await files.get("found");
  if (found !== undefined) return found;
  const layout = await loadBlob(org, material.layoutKey);
  const pages = await pagesOf(org, material);
  await progress("detect", pages ?? 1, pages === undefined ? "document" : "page");
  const options = {
    fieldNameStyle: FIELD_NAME_STYLES.find((style) => style === fieldNameStyle) ?? FIELD_NAME_STYLES[0],
    minConfidence: Number(minConfidence),
    maxFieldsPerPage: Number(maxFieldsPerPage),
    ...(Array.isArray(pageRange) ? { pageRange: pageRange.map(Number) } : {}),
  };
  const limits = { deadline, ...(pages === undefined ? {} : { pages }) };
  const definitions = await org.engines.documents.run(formDetectTask, { bytes, layout, options }, limits);
  await files.put("found", definitions);
  return definitions;
}

export const pdfAcroForm: Operation = {
  type: "pdf-acroform",
  withoutModel: true,
  summary:
    "a form made of the places to write on the pages of a PDF (ocr, fieldNameStyle source_snake_case, snake_case or " +
    "camelCase, minConfidence from 0 to 1, maxFieldsPerPage, pageRange such as 1-3, forceOcr to read the document " +
    "anew with ocr, and values to fill in by name or label)",
  read: parameterReaderOf("pdf-acroform"),
  require(material, parameters) {
    requirePdf(material);
    requirePages(material, parameters);
  },
  readsWith: ({ forceOcr, ocr }): OcrMode | undefined =>
    forceOcr === true ? OCR_MODES.find((mode) => mode === ocr) : undefined,
  async run(context, parameters) {
    const bytes = await loadDocument(context);
    const definitions = await findDefinitions(context, bytes, parameters);
    const { values } = parameters;
    const filling = values === null || values === undefined ? {} : { values: encodeJson(values) };
    return writeFormFiles(context, { bytes, definitions, ...filling }, parameters);
  },
};
