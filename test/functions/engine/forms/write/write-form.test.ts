import { PDFArray, PDFDict, PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { drawWithPdfium } from "../../../../../bench/templates/draw-with-pdfium.ts";
import { hasQpdf, qpdfCheck } from "../../../../../bench/templates/qpdf.ts";
import { acroFormMetadata } from "../../../../../functions/engine/forms/acroform/acroform-metadata.ts";
import { textOf } from "../../../../../functions/engine/forms/acroform/pdf-values.ts";
import type { FieldDefinition } from "../../../../../functions/engine/forms/field-definition.ts";
import type { WritingLimits } from "../../../../../functions/engine/forms/write/choose-definitions.ts";
import { writeForm } from "../../../../../functions/engine/forms/write/write-form.ts";
import { describeForm } from "../../../../../functions/engine/templates/pdf/describe-form.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { fill } from "../../../../support/filled-form.ts";
import { flatForm } from "../../../../support/flat-form.ts";
import { definition } from "../../../../support/form-definitions.ts";
import { templatePdf } from "../../../../support/form-pdf.ts";
import type { PageOptions } from "../../../../support/pdf.ts";

const write = (bytes: Uint8Array, definitions: readonly FieldDefinition[], limits: Partial<WritingLimits> = {}) =>
  writeForm(bytes, definitions, { minConfidence: 0.35, maxFieldsPerPage: 300, ...limits });

type Size = [number, number];
/** A field of each type, on a page of a size in points. */
const allTypes = (size: Size = [612, 792]): FieldDefinition[] => [
  definition("name", [20, 20, 220, 36], { label: "Full name", required: true }, size),
  definition("remarks", [20, 50, 220, 120], { fieldType: "multiline" }, size),
  definition("agree", [20, 130, 32, 142], { fieldType: "checkbox", label: "I agree" }, size),
  definition("sex_m", [20, 150, 32, 162], { fieldType: "radio", group: "sex", options: ["male"] }, size),
  definition("sex_f", [50, 150, 62, 162], { fieldType: "radio", group: "sex", options: ["female"] }, size),
  definition("state", [20, 170, 120, 186], { fieldType: "dropdown", options: ["CA", "NY"] }, size),
  definition("number", [20, 190, 200, 210], { comb: 9 }, size),
  definition("born", [20, 220, 120, 236], { fieldType: "date", label: "Born (MM/DD/YYYY)" }, size),
  definition("signed", [20, 250, 200, 280], { fieldType: "signature" }, size),
];
const VALUES: Record<string, Json> = {
  name: "Ada Lovelace",
  remarks: "Some words that go over more than one line of the box that they stand in",
  agree: true,
  sex: "female",
  state: "NY",
  number: "123456789",
  born: "1815-12-10",
};

describe("writeForm", () => {
  it("writes a field of each type", async () => {
    const { bytes, written, skippedFields } = await write(await flatForm(), allTypes());
    expect([written.length, skippedFields]).toEqual([9, []]);
    const { fields } = await describeForm(bytes);
    expect(fields.map(({ name, type, flags, options }) => [name, type, flags, options])).toEqual([
      ["name", "text", ["required"], []],
      ["remarks", "multiline", ["multiline"], []],
      ["agree", "checkbox", [], ["Yes"]],
      ["sex", "radio", ["noToggleToOff", "radio"], ["male", "female"]],
      ["state", "dropdown", ["combo"], ["CA", "NY"]],
      ["number", "text", ["comb"], []],
      ["born", "text", [], []],
      ["signed", "signature", [], []],
    ]);
    expect(fields.map(({ tooltip }) => tooltip)).toContain("Full name");
    expect(fields.find(({ name }) => name === "number")?.maxLength).toBe(9);
    expect(fields.find(({ name }) => name === "born")).toMatchObject({
      dateFormat: "mm/dd/yyyy",
      script: expect.stringContaining('AFDate_KeystrokeEx("mm/dd/yyyy")'),
    });
  });

  it("appends to the file, so that its pages stay byte for byte", async () => {
    const flat = await flatForm();
    const { bytes } = await write(flat, allTypes());
    expect(Buffer.from(bytes.subarray(0, flat.length)).equals(Buffer.from(flat))).toBe(true);
    expect(await write(flat, allTypes())).toMatchObject({ bytes });
  });

  it("returns the file itself where nothing is to be written", async () => {
    const flat = await flatForm();
    const rejected = allTypes().map((one) => ({ ...one, reviewStatus: "rejected" as const }));
    expect((await write(flat, rejected)).bytes).toBe(flat);
  });

  it.skipIf(!hasQpdf())("writes files that qpdf finds sound, filled and not", async () => {
    const { bytes } = await write(await flatForm(), allTypes());
    expect(qpdfCheck(bytes)).toContain("No syntax or stream encoding errors");
    expect(qpdfCheck((await fill(bytes, VALUES)).bytes)).toContain("No syntax or stream encoding errors");
  });

  it("leaves nothing on the page until a field is filled", async () => {
    const flat = await flatForm();
    const [before] = await drawWithPdfium(flat);
    const [after] = await drawWithPdfium((await write(flat, allTypes())).bytes);
    expect(Buffer.from(after?.grey ?? []).equals(Buffer.from(before?.grey ?? [1]))).toBe(true);
  });
});

const DARK = 200;

/** Dark pixels that filling adds: inside of the boxes, and outside of all. */
async function addedInk(form: Uint8Array, definitions: readonly FieldDefinition[]) {
  const [[before], [after]] = [await drawWithPdfium(form), await drawWithPdfium((await fill(form, VALUES)).bytes)];
  if (before === undefined || after === undefined) throw new TypeError("The form has a page");
  const boxes = definitions.map(({ entryBbox }) => entryBbox);
  const inside = boxes.map(() => 0);
  let outside = 0;
  for (let at = 0; at < after.grey.length; at += 1) {
    if ((after.grey[at] ?? 255) >= DARK || (before.grey[at] ?? 255) < DARK) continue;
    const [x, y] = [((at % after.width) + 0.5) / after.width, (Math.floor(at / after.width) + 0.5) / after.height];
    const box = boxes.findIndex(({ left, top, right, bottom }) => x > left && x < right && y > top && y < bottom);
    if (box < 0) outside += 1;
    else inside[box] = (inside[box] ?? 0) + 1;
  }
  return { inside, outside };
}

describe("writeForm, on pages of every kind", () => {
  it.each<[string, PageOptions, Size]>([
    ["upright", {}, [612, 792]],
    ["turned by 90°", { rotate: 90 }, [792, 612]],
    ["turned by 180°", { rotate: 180 }, [612, 792]],
    ["turned by 270°", { rotate: 270 }, [792, 612]],
    ["cropped", { cropBox: [50, 40, 500, 700] }, [500, 700]],
    ["cropped and turned by 90°", { cropBox: [50, 40, 500, 700], rotate: 90 }, [700, 500]],
    ["cropped and turned by 270°", { cropBox: [50, 40, 500, 700], rotate: 270 }, [700, 500]],
  ])("shows values upright inside of their boxes: %s", async (_name, options, size) => {
    const definitions = allTypes(size);
    const { bytes } = await write(await flatForm(options), definitions);
    const { fields } = await acroFormMetadata(bytes);
    const [anchor] = fields[0]?.widgets[0]?.pageAnchors ?? [];
    expect(anchor?.bbox).toEqual({ left: 20, top: 20, right: 220, bottom: 36 });
    const { inside, outside } = await addedInk(bytes, definitions);
    expect(outside).toBe(0);
    // Of the radio buttons the second is chosen; a signature field takes no value.
    expect(inside.map((ink) => ink > 3)).toEqual([true, true, true, false, true, true, true, true, false]);
  });

  it("takes a page of 100 × 100 inches, with text of its measure", async () => {
    const size: Size = [7200, 7200];
    const big = definition("big", [700, 700, 5000, 1000], {}, size);
    const { bytes } = await write(await flatForm({ size }), [big]);
    const form = (await PDFDocument.load(bytes)).getForm();
    expect(form.getTextField("big").acroField.getDefaultAppearance()).toBe("/Helv 141 Tf 0 g");
  });

  it("writes 400 fields on a page, and fields on 50 pages", async () => {
    const definitions = Array.from({ length: 1_000 }, (_, index) => {
      const [x, y] = [index % 20, Math.floor(index / 20) % 20];
      const at = [10 + 28 * x, 10 + 36 * y, 34 + 28 * x, 30 + 36 * y] as const;
      const fieldType = index % 3 === 0 ? "checkbox" : "text";
      const pageNumber = index < 400 ? 1 : 1 + (index % 50);
      return definition(`field_${index}`, at, { pageNumber, fieldType });
    });
    const form = await write(await flatForm({ pages: 50 }), definitions, { maxFieldsPerPage: 412 });
    expect([form.written.length, form.skippedFields, form.pages.length]).toEqual([1_000, [], 50]);
    expect((await describeForm(form.bytes)).fields).toHaveLength(1_000);
    const [cut] = (await write(await flatForm(), definitions.slice(0, 301))).skippedFields;
    expect(cut).toEqual({
      fieldName: "field_300",
      reason: "Page 1 has more than 300 fields; raise maxFieldsPerPage",
    });
  });
});

/** Names of the widgets' fields, in the order of the tabulator. */
async function tabOrder(bytes: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(bytes);
  const annotations = document.getPage(0).node.lookup(PDFName.of("Annots"), PDFArray);
  return annotations.asArray().map((ref) => {
    const widget = document.context.lookup(ref, PDFDict);
    const named = widget.has(PDFName.of("T")) ? widget : widget.lookup(PDFName.of("Parent"), PDFDict);
    return textOf(named.get(PDFName.of("T"))) ?? "";
  });
}

describe("writeForm, beside the fields of the document", () => {
  const free = definition("added", [150, 335, 350, 355], { label: "Added" });

  it("keeps them and their values, and makes none in their places", async () => {
    const known = await templatePdf();
    const { bytes: filled } = await fill(known, { "applicant.city": "London" });
    const taken = definition("city", [152, 113, 348, 131]);
    const { bytes, skippedFields } = await write(filled, [taken, free]);
    expect(skippedFields).toEqual([{ fieldName: "city", reason: "The document has a field at this place already" }]);
    const { fields } = await describeForm(bytes);
    expect(fields.map(({ name, value }) => [name, value])).toEqual([
      ["applicant.name", null],
      ["applicant.city", "London"],
      ["agreed", "Off"],
      ["status", null],
      ["logo", null],
      ["added", null],
    ]);
  });

  it("gives no name twice, and none with a full stop", async () => {
    const places = [300, 340, 380].map((top) => [400, top, 500, top + 20] as const);
    const names = ["agreed", "a.b", "a_b"];
    const definitions = places.map((at, index) => definition(names[index] ?? "", at));
    const form = await write(await templatePdf(), definitions);
    expect(form.definitions.map(({ fieldName }) => fieldName)).toEqual(["agreed_2", "a_b", "a_b_2"]);
    expect(form.warnings).toHaveLength(3);
    expect((await describeForm(form.bytes)).fields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["agreed", "agreed_2", "a_b", "a_b_2"]),
    );
  });

  it("has the tabulator follow the reading order", async () => {
    const above = definition("above", [150, 20, 350, 40]);
    const beside = definition("beside", [400, 72, 500, 92]);
    const { bytes } = await write(await templatePdf(), [above, beside, free]);
    expect(await tabOrder(bytes)).toEqual(["above", "name", "beside", "city", "agreed", "status", "logo", "added"]);
    const plain = await write(await flatForm(), allTypes().reverse());
    expect((await tabOrder(plain.bytes)).slice(0, 4)).toEqual(["signed", "born", "number", "state"]);
  });
});

describe("writeForm leaves out, and says why,", () => {
  it.each<[string, FieldDefinition, Partial<WritingLimits>, string]>([
    ["a rejected one", definition("x", [0, 0, 50, 20], { reviewStatus: "rejected" }), {}, "The review rejected it"],
    [
      "an unsure one",
      definition("x", [0, 0, 50, 20], { reviewStatus: "suggested", confidence: 0.2 }),
      {},
      "Its confidence of 0.2 is below minConfidence 0.35",
    ],
    ["one of another page", definition("x", [0, 0, 50, 20]), { pageRange: [2] }, "Page 1 is not in pageRange"],
    ["one of no page", definition("x", [0, 0, 50, 20], { pageNumber: 9 }), {}, "The document has no page 9"],
    ["one too small to hit", definition("x", [0, 0, 50, 1]), {}, "Its box has a side under 2 points"],
    ["one that the document has", definition("x", [0, 0, 50, 20], { source: "widget" }), {}, "has this field already"],
  ])("%s", async (_name, given, limits, reason) => {
    const { written, skippedFields } = await write(await flatForm(), [given], limits);
    expect(written).toEqual([]);
    expect(skippedFields).toEqual([{ fieldName: "x", reason: expect.stringContaining(reason) }]);
  });

  it("nothing that a person accepted, however unsure it was", async () => {
    const unsure = (["accepted", "edited"] as const).map((reviewStatus, index) =>
      definition(`field_${index}`, [20, 20 + 30 * index, 90, 40 + 30 * index], { reviewStatus, confidence: 0.01 }),
    );
    expect((await write(await flatForm(), unsure)).written).toHaveLength(2);
  });
});

describe("writeForm, for files of other kinds", () => {
  it("opens a form that only its owner's password protects, and tells that the restrictions are gone", async () => {
    const restricted = await templatePdf({ ownerPassword: "owner" });
    const { warnings, bytes } = await write(restricted, [definition("added", [400, 335, 500, 355])]);
    expect(warnings).toEqual(["The form has no encryption any more, and none of the owner's restrictions"]);
    expect((await describeForm(bytes)).fields.map(({ name }) => name)).toContain("added");
  });

  it("appends to a signed file, and tells that readers notice", async () => {
    const signed = await templatePdf({ signed: true });
    const { warnings, bytes } = await write(signed, [definition("added", [400, 335, 500, 355])]);
    expect(warnings).toEqual([expect.stringContaining("The document is signed")]);
    expect(Buffer.from(bytes.subarray(0, signed.length)).equals(Buffer.from(signed))).toBe(true);
  });

  it("refuses a file that needs a password", async () => {
    const locked = await templatePdf({ ownerPassword: "owner", userPassword: "user" });
    await expect(write(locked, allTypes())).rejects.toThrow("opens only with a password");
  });
});
