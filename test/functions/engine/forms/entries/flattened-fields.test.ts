import { PDFDocument, type PDFFont, type PDFForm, type PDFPage, StandardFonts } from "@cantoo/pdf-lib";
import { describe, expect, it, test } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { formEntries } from "../../../../../functions/engine/forms/entries/form-entries.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import type { FormEntry, Layout } from "../../../../../functions/ports/layout.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";

interface Drawing {
  document: PDFDocument;
  page: PDFPage;
  form: PDFForm;
  font: PDFFont;
}

async function newForm(): Promise<Drawing> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  return { document, page: document.addPage([595, 842]), form: document.getForm(), font };
}

interface Place {
  value: string;
  x: number;
  y: number;
  width: number;
}

function addField({ form, page }: Drawing, { value, x, y, width }: Place): void {
  const field = form.createTextField(`f${form.getFields().length}`);
  field.setText(value);
  field.addToPage(page, { x, y, width, height: 16, borderWidth: 0 });
  field.setFontSize(10);
}

const frame = ({ page }: Drawing, x: number, y: number, width: number, height: number): void =>
  page.drawRectangle({ x, y, width, height, borderWidth: 0.7 });
const say = ({ page, font }: Drawing, text: string, x: number, y: number): void =>
  page.drawText(text, { x, y, size: 9, font });

async function readFlat({ document, form }: Drawing): Promise<Layout> {
  form.flatten();
  return (await readDocument(await document.save(), { mimeType: PDF }, formEntries)).layout;
}

/** Texts of the words at each labelled place. */
function written(layout: Layout): string[][] {
  const [page] = layout.pages;
  const words =
    page?.blocks.flatMap((block) => ("lines" in block ? block.lines.flatMap((line) => line.words) : [])) ?? [];
  const textOf = ({ words: own }: FormEntry): string =>
    words
      .filter(({ box }) => own.some((one) => one.left === box.left && one.top === box.top))
      .map(({ text }) => text)
      .join(" ");
  return (page?.entries ?? []).map((entry) => [entry.label, textOf(entry)]).filter(([, text]) => text !== "");
}

const ask = (layout: Layout, names: readonly string[]): Json =>
  extractOffline(layout, {
    schema: parseSchema({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    }),
    granularity: "word",
  }).result;

const ROWS = [
  ["First name", "Ines", "Last name", "Falk"],
  ["Street", "Mill Road 4", "Town", "Astoria"],
  ["Employer", "Harbor Clinic", "Occupation", "Welder"],
] as const;

/** Rows of two boxes each, with their labels closely under them. */
function drawRows(drawing: Drawing): void {
  for (const [row, [label, value, other, otherValue]] of ROWS.entries()) {
    const y = 700 - 48 * row;
    for (const [at, name, text] of [
      [60, label, value],
      [310, other, otherValue],
    ] as const) {
      frame(drawing, at, y, 220, 22);
      addField(drawing, { value: text, x: at + 2, y: y + 3, width: 210 });
      say(drawing, name, at, y - 10);
    }
  }
}

describe("fields of a flattened form", () => {
  it("have the labels under them where these are nearer than those over them", async () => {
    const drawing = await newForm();
    say(drawing, "Member", 60, 745);
    drawRows(drawing);
    expect(written(await readFlat(drawing))).toEqual([
      ["First name", "Ines"],
      ["Last name", "Falk"],
      ["Street", "Mill Road 4"],
      ["Town", "Astoria"],
      ["Employer", "Harbor Clinic"],
      ["Occupation", "Welder"],
    ]);
  });

  it("stay apart in a room without lines between them", async () => {
    const drawing = await newForm();
    drawRows(drawing);
    frame(drawing, 60, 480, 470, 90);
    for (const [row, [label, value]] of [
      ["Phone:", "555 0142"],
      ["Mail:", "ines@example.org"],
      ["Fax:", "555 0143"],
    ].entries()) {
      say(drawing, label ?? "", 66, 552 - 24 * row);
      addField(drawing, { value: value ?? "", x: 120, y: 548 - 24 * row, width: 300 });
    }
    expect(written(await readFlat(drawing))).toEqual(
      expect.arrayContaining([
        ["Phone:", "555 0142"],
        ["Mail:", "ines@example.org"],
        ["Fax:", "555 0143"],
      ]),
    );
  });

  it("are no captions of buttons", async () => {
    const drawing = await newForm();
    drawRows(drawing);
    const button = drawing.form.createButton("send");
    button.addToPage("Send this form", drawing.page, { x: 400, y: 780, width: 90, height: 20 });
    const texts = written(await readFlat(drawing)).map(([, text]) => text);
    expect(texts).toContain("Ines");
    expect(texts.join(" ")).not.toContain("Send");
  });

  it("answer by their order where as many are asked for between two that are named", async () => {
    const drawing = await newForm();
    drawRows(drawing);
    const asked = ["first_name", "last_name", "where_to_write", "last_stop", "employer"];
    expect(ask(await readFlat(drawing), asked)).toEqual({
      first_name: "Ines",
      last_name: "Falk",
      where_to_write: "Mill Road 4",
      last_stop: "Astoria",
      employer: "Harbor Clinic",
    });
  });

  it("answer nothing by their order where fewer are asked for", async () => {
    const drawing = await newForm();
    drawRows(drawing);
    const asked = ["first_name", "last_name", "where_to_write", "employer"];
    expect(ask(await readFlat(drawing), asked)).toMatchObject({ last_name: "Falk", where_to_write: null });
  });
});

test("a sum of nothing in a field that is only read is no value", async () => {
  const drawing = await newForm();
  const names = ["Deposit", "Total"];
  for (const [row, name] of names.entries()) {
    say(drawing, `${name}:`, 60, 704 - 30 * row);
    addField(drawing, { value: name === "Total" ? "0.00" : "25.00", x: 120, y: 700 - 30 * row, width: 100 });
  }
  drawing.form.getTextField("f1").enableReadOnly();
  const { layout } = await readDocument(await drawing.document.save(), { mimeType: PDF }, formEntries);
  expect(layout.pages[0]?.entries?.map(({ label, field }) => [label, field?.value])).toEqual([
    ["Deposit:", "25.00"],
    ["Total:", null],
  ]);
});
