import { degrees, PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { acroFormMetadata } from "../../../../../functions/engine/forms/acroform/acroform-metadata.ts";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import { BadRequest, JOB_SENTENCES, UnprocessableEntity } from "../../../../../functions/ports/errors.ts";
import { encryptedPdf, filteredPdf, textPdf } from "../../../../support/pdf.ts";

const read = async (document: PDFDocument) => acroFormMetadata(await document.save({ updateFieldAppearances: false }));

/** A form with one field of every kind, by the library's own means. */
async function everyKind(): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  const page = document.addPage([600, 800]);
  const form = document.getForm();
  const box = (row: number) => ({ x: 50, y: 700 - 40 * row, width: 200, height: 20 });
  const name = form.createTextField("person.name");
  name.setText("Zoë");
  name.setMaxLength(30);
  name.enableRequired();
  name.addToPage(page, box(0));
  const notes = form.createTextField("person.notes");
  notes.enableMultiline();
  notes.enableReadOnly();
  notes.addToPage(page, box(1));
  const agree = form.createCheckBox("agree");
  agree.addToPage(page, box(2));
  agree.check();
  form.createCheckBox("refuse").addToPage(page, box(3));
  const colour = form.createRadioGroup("colour");
  colour.addOptionToPage("red", page, box(4));
  colour.addOptionToPage("green", page, box(5));
  colour.select("green");
  const country = form.createDropdown("country");
  country.setOptions(["CH", "DE"]);
  country.select("DE");
  country.addToPage(page, box(6));
  const many = form.createOptionList("many");
  many.setOptions(["a", "b", "c"]);
  many.enableMultiselect();
  many.select(["a", "c"]);
  many.addToPage(page, box(7));
  form.createButton("send").addToPage("Send", page, box(8));
  return document;
}

describe("acroFormMetadata", () => {
  it("returns every kind of field with its value, options and flags", async () => {
    const { pages, fields } = await read(await everyKind());
    expect(pages).toEqual([{ pageNumber: 1, width: 600, height: 800 }]);
    const brief = fields.map(({ name, type, value, flags, maxLength, options }) => ({
      name,
      type,
      value,
      flags,
      maxLength,
      options: options.map((option) => option.label),
    }));
    expect(brief).toEqual([
      { name: "person.name", type: "text", value: "Zoë", flags: ["required"], maxLength: 30, options: [] },
      {
        name: "person.notes",
        type: "multiline",
        value: null,
        flags: ["readOnly", "multiline"],
        maxLength: null,
        options: [],
      },
      { name: "agree", type: "checkbox", value: "Yes", flags: [], maxLength: null, options: ["Yes"] },
      { name: "refuse", type: "checkbox", value: "Off", flags: [], maxLength: null, options: ["Yes"] },
      {
        name: "colour",
        type: "radio",
        value: expect.any(String),
        flags: ["radio"],
        maxLength: null,
        options: ["red", "green"],
      },
      { name: "country", type: "dropdown", value: "DE", flags: ["combo"], maxLength: null, options: ["CH", "DE"] },
      {
        name: "many",
        type: "listbox",
        value: ["a", "c"],
        flags: ["multiSelect"],
        maxLength: null,
        options: ["a", "b", "c"],
      },
      { name: "send", type: "button", value: null, flags: ["pushbutton"], maxLength: null, options: [] },
    ]);
    const colour = fields.find(({ name }) => name === "colour");
    expect(colour?.options.find(({ value }) => value === colour.value)?.label).toBe("green");
    expect(colour?.widgets.map(({ id }) => id)).toEqual(["f5w1", "f5w2"]);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  });

  it("returns the same result for the same file", async () => {
    const bytes = await (await everyKind()).save();
    expect(await acroFormMetadata(bytes)).toEqual(await acroFormMetadata(bytes));
  });

  it.each([0, 90, 180, 270] as const)("places widgets as shown on a cropped page rotated by %i°", async (turn) => {
    const document = await PDFDocument.create();
    const page = document.addPage([600, 800]);
    page.setCropBox(50, 100, 400, 600);
    page.setRotation(degrees(turn));
    document.getForm().createTextField("a").addToPage(page, { x: 60, y: 640, width: 100, height: 20, borderWidth: 0 });
    const bytes = await document.save();
    const { pages, fields } = await acroFormMetadata(bytes);
    const [field] = fields;
    expect(field?.rect).toEqual([60, 640, 160, 660]);
    const expected = {
      0: { left: 10, top: 40, right: 110, bottom: 60 },
      90: { left: 540, top: 10, right: 560, bottom: 110 },
      180: { left: 290, top: 540, right: 390, bottom: 560 },
      270: { left: 40, top: 290, right: 60, bottom: 390 },
    }[turn];
    expect(field?.widgets[0]?.pageAnchors).toEqual([{ pageNumber: 1, unit: "point", bbox: expected }]);
    // The reader of pages sees the page in the same way.
    await withPdf(bytes, ({ withPage }) =>
      withPage(0, ({ width, height }) => {
        expect([pages[0]?.width, pages[0]?.height]).toEqual([width, height]);
      }),
    );
  });

  it("returns no fields for a PDF without a form, also one with an owner password", async () => {
    expect((await acroFormMetadata(await textPdf([{ text: "x", x: 50, y: 50 }]))).fields).toEqual([]);
    expect(await acroFormMetadata(await encryptedPdf({ owner: "o" }))).toEqual({
      pages: [{ pageNumber: 1, width: 612, height: 792 }],
      fields: [],
    });
  });
});

describe("acroFormMetadata on an unreadable file", () => {
  it("throws BadRequest for a file that is not a PDF", async () => {
    for (const bytes of [new Uint8Array(), new TextEncoder().encode("PK\u0003\u0004 a zip archive")]) {
      await expect(acroFormMetadata(bytes)).rejects.toThrow(BadRequest);
    }
    await expect(acroFormMetadata(new Uint8Array([1]))).rejects.toThrow("The document is not a PDF");
  });

  it("throws UnprocessableEntity for a locked or damaged PDF", async () => {
    await expect(acroFormMetadata(await encryptedPdf({ user: "u", owner: "o" }))).rejects.toThrow(
      JOB_SENTENCES.password,
    );
    await expect(acroFormMetadata(filteredPdf("Adobe.PubSec"))).rejects.toThrow(/without encryption/);
    const broken = acroFormMetadata(new TextEncoder().encode("%PDF-1.7\n1 0 obj << /Kids [ 1 0 R"));
    await expect(broken).rejects.toThrow(UnprocessableEntity);
  });
});
