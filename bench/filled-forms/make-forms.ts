/** The corpus' forms as users send them: filled or blank; with their fields, flattened, or scanned. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { formEntries } from "../../functions/engine/forms/entries/form-entries.ts";
import { renderPage } from "../../functions/engine/readers/pdf/render-page.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { describeForm } from "../../functions/engine/templates/pdf/describe-form.ts";
import { fillForm } from "../../functions/engine/templates/pdf/fill-form.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import { PDF } from "../../functions/ports/media-types.ts";
import type { BenchReader } from "../offline/reading.ts";
import { picturePdf } from "./picture-pdf.ts";
import type { QuestionedForm } from "./question.ts";

/** `form`: the PDF with its fields; `flat`: their values drawn on the pages; `scan`: pictures of these pages. */
export const RENDITIONS = ["form", "flat", "scan"] as const;
export type Rendition = (typeof RENDITIONS)[number];

/** Pixels per inch of the scans. */
const SCAN_DPI = 200;

/** Full names of fields by the ends that questions give. @throws Error for an end that names none or several */
function fullNames(names: readonly string[], ends: readonly string[]): Map<string, string> {
  const found = ends.map(
    (end) => [end, names.includes(end) ? [end] : names.filter((name) => name.endsWith(end))] as const,
  );
  const faults = found
    .filter(([, own]) => own.length !== 1)
    .map(([end, own]) => `${end} names ${own.join(", ") || "none"}`);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return new Map(found.map(([end, [name = ""]]) => [end, name]));
}

/** The form filled with the answers to its questions, or left blank. */
export async function makeForm(
  corpus: string,
  { form, questions }: QuestionedForm,
  { filled, flatten }: { filled: boolean; flatten: boolean },
): Promise<Uint8Array> {
  const bytes = new Uint8Array(await readFile(path.join(corpus, "acroforms", `${form}.pdf`)));
  const { fields } = await describeForm(bytes);
  const written = Object.assign({}, ...questions.map((question) => question.written)) as Record<string, Json>;
  const names = fullNames(
    fields.map(({ name }) => name),
    Object.keys(written),
  );
  const values = filled ? Object.entries(written).map(([end, value]) => [names.get(end), value]) : [];
  const request = { images: new Map<string, Uint8Array>(), missingIsError: false, ignoreUnknown: false };
  return (await fillForm(bytes, { ...request, fields: Object.fromEntries(values), flatten })).bytes;
}

/** Pages that questions are about: the first ones of a form. */
const MAX_PAGES = 2;

/** Reads a form in a rendition, its first pages only. */
export async function readForm(bytes: Uint8Array, rendition: Rendition, reader: BenchReader): Promise<Layout> {
  const { pageCount } = (await readDocument(bytes, { mimeType: PDF, mayBeEmpty: true, pageRange: [1] })).layout;
  const pageRange = Array.from({ length: Math.min(pageCount, MAX_PAGES) }, (_, index) => index + 1);
  if (rendition !== "scan")
    return (await readDocument(bytes, { mimeType: PDF, mayBeEmpty: true, pageRange }, formEntries)).layout;
  const pictures = [];
  for (const page of pageRange) pictures.push(await renderPage(bytes, page - 1, SCAN_DPI));
  return (await reader.readBytes(await picturePdf(pictures, SCAN_DPI), PDF)).layout;
}
