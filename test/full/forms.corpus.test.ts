/** Real forms made flat: found, accepted, written, filled as templates and read back. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { stripForm } from "../../bench/forms/strip-form.ts";
import { type CorpusForm, corpusForms } from "../../bench/templates/corpus-forms.ts";
import { measureFidelity } from "../../bench/templates/fidelity.ts";
import { FORM_READERS } from "../../bench/templates/form-readers.ts";
import { hasQpdf, qpdfCheck } from "../../bench/templates/qpdf.ts";
import { acroFormMetadata } from "../../functions/engine/forms/acroform/acroform-metadata.ts";
import type { FieldDefinition } from "../../functions/engine/forms/field-definition.ts";
import { findFormFields } from "../../functions/engine/forms/write/find-form-fields.ts";
import { writeForm } from "../../functions/engine/forms/write/write-form.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { describeForm } from "../../functions/engine/templates/pdf/describe-form.ts";
import { fillForm } from "../../functions/engine/templates/pdf/fill-form.ts";
import { PDF } from "../../functions/ports/media-types.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no real form was made flat`);
const { forms } = present ? await corpusForms(CORPUS) : { forms: [] };
const readers = FORM_READERS.filter((reader) => reader.isThere());

const OPTIONS = { fieldNameStyle: "source_snake_case", minConfidence: 0.35, maxFieldsPerPage: 300 } as const;
const POINTS_PER_INCH = 72;

/** Makes a form flat, and a form of what is found on it. */
async function remake({
  bytes,
}: CorpusForm): Promise<{ flat: Uint8Array; found: FieldDefinition[]; form: Uint8Array }> {
  const flat = await stripForm(bytes);
  const found = await findFormFields(flat, OPTIONS);
  const accepted = found.map((one): FieldDefinition => ({ ...one, reviewStatus: "accepted" }));
  const { bytes: form, written, skippedFields } = await writeForm(flat, accepted, { ...OPTIONS, minConfidence: 1 });
  expect([written.length, skippedFields]).toEqual([found.length, []]);
  return { flat, found, form: new Uint8Array(form) };
}

/** Letters and digits: a word at the edge of a box may be read with print beside it. */
const essence = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
/** A value that is another one in each field, and fits narrow ones. */
const codeOf = (index: number): string => `Q${index.toString(36).toUpperCase()}Z`;

/** Texts of a filled form that our own reading finds in their boxes, and those that it does not. */
async function readBack(form: Uint8Array): Promise<{ read: number; missing: string[] }> {
  const { fields } = await describeForm(form);
  const texts = fields.filter(
    ({ type, maxLength, dateFormat }) =>
      (type === "text" || type === "multiline") && maxLength === null && dateFormat === null,
  );
  const probes = texts.map(({ name }, index) => ({ name, value: codeOf(index) }));
  const request = { images: new Map(), flatten: false, missingIsError: false, ignoreUnknown: false };
  const values = Object.fromEntries(probes.map(({ name, value }) => [name, value]));
  const { bytes } = await fillForm(form, { ...request, fields: values });
  const { layout } = await readDocument(bytes, { mimeType: PDF, ocr: "NONE" });
  const words = new Map(layout.pages.map((page) => [page.number, pageWords(page)]));
  const anchors = new Map(
    (await acroFormMetadata(form)).fields.map(({ name, widgets }) => [name, widgets.flatMap((one) => one.pageAnchors)]),
  );
  const missing = probes.filter(({ name, value }) => {
    const [anchor] = anchors.get(name) ?? [];
    if (anchor === undefined) return true;
    const { left, top, right, bottom } = anchor.bbox;
    const inside = (words.get(anchor.pageNumber) ?? []).filter(({ box }) => {
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2].map((inches) => inches * POINTS_PER_INCH);
      return x !== undefined && y !== undefined && x >= left && x <= right && y >= top && y <= bottom;
    });
    return !essence(inside.map(({ text }) => text).join("")).includes(value);
  });
  return { read: probes.length - missing.length, missing: missing.map(({ name }) => name) };
}

/** Least share of the texts of all forms that are read back as they were filled in: print may touch a narrow box. */
const LEAST_READ = 0.98;

describe.skipIf(!present)("a real form made flat", () => {
  it("is one of twenty", () => expect(forms.length).toBeGreaterThan(20));

  let [read, all] = [0, 0];
  const missed: string[] = [];
  it.each(forms.map((form) => [form.name, form] as const))(
    "becomes a form again whose values stand in their boxes, for every reader: %s",
    async (_, form) => {
      const { flat, found, form: made } = await remake(form);
      expect(Buffer.from(made.subarray(0, flat.length)).equals(Buffer.from(flat))).toBe(true);
      if (found.length === 0) return;
      if (hasQpdf()) expect(qpdfCheck(made)).toContain("No syntax or stream encoding errors");
      const fidelity = await measureFidelity({ ...form, bytes: made }, readers, hasQpdf());
      expect(fidelity.wrong).toEqual([]);
      for (const [reader, { shown, unchanged, strayPixels }] of fidelity.drawn) {
        expect([reader, unchanged, strayPixels]).toEqual([reader, [], 0]);
        expect(shown).toBeGreaterThan(0);
      }
      const back = await readBack(made);
      read += back.read;
      all += back.read + back.missing.length;
      missed.push(...back.missing.map((name) => `${form.name}: ${name}`));
    },
  );

  it("is read by our own reading with the values that it was filled with", () => {
    expect(all).toBeGreaterThan(2_000);
    expect(read / all, missed.join("\n")).toBeGreaterThanOrEqual(LEAST_READ);
  });
});
