import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { formEntries } from "../../../../../functions/engine/forms/entries/form-entries.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";
import { applicationForm } from "../../../../support/application-form.ts";

/** Places found on each page. */
async function placesByPage(document: PDFDocument): Promise<number[]> {
  const { layout } = await readDocument(await document.save(), { mimeType: PDF }, formEntries);
  return layout.pages.map(({ entries }) => entries?.length ?? 0);
}

const drawTextPage = (page: PDFPage, font: PDFFont): void =>
  page.drawText("How to fill in this application, and who may ask for it.", { x: 50, y: 700, size: 10, font });

/** A ruled table of numbers, each row with its name. */
function drawTable(page: PDFPage, font: PDFFont, rows: number, columns: number): void {
  const [width, height] = [500 / columns, 20];
  const line = (x0: number, y0: number, x1: number, y1: number): void =>
    page.drawLine({ start: { x: x0, y: y0 }, end: { x: x1, y: y1 }, thickness: 0.5 });
  for (let row = 0; row <= rows; row += 1) line(40, 780 - row * height, 540, 780 - row * height);
  for (let at = 0; at <= columns; at += 1) line(40 + at * width, 780, 40 + at * width, 780 - rows * height);
  for (let row = 0; row < rows; row += 1)
    for (let at = 0; at < columns; at += 1) {
      const text = at === 0 ? `Item ${row}` : `${row * 7 + at * 13}.50`;
      page.drawText(text, { x: 43 + at * width, y: 766 - row * height, size: 9, font });
    }
}

describe("places of printed forms", () => {
  it("are found behind pages of text", async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    for (let page = 0; page < 8; page += 1) drawTextPage(document.addPage([595, 842]), font);
    const form = await PDFDocument.load(await applicationForm({ filled: false, flatten: true }));
    for (const page of await document.copyPages(form, form.getPageIndices())) document.addPage(page);
    const places = await placesByPage(document);
    expect(places.slice(0, 8)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(places[8]).toBeGreaterThan(8);
  });

  it("are not looked for in a table of numbers", async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    drawTable(document.addPage([595, 842]), font, 30, 6);
    expect(await placesByPage(document)).toEqual([0]);
  });

  it("are found on a page that a program has filled to the last place", async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const page = document.addPage([595, 842]);
    const form = document.getForm();
    for (const [row, label] of [
      "Given name",
      "Family name",
      "Street",
      "City",
      "Country",
      "Phone",
      "Email",
      "Employer",
    ].entries()) {
      page.drawText(`${label}:`, { x: 40, y: 760 - row * 40, size: 10, font });
      page.drawLine({ start: { x: 140, y: 756 - row * 40 }, end: { x: 400, y: 756 - row * 40 }, thickness: 0.5 });
      const field = form.createTextField(label);
      field.setText(`Written ${row}`);
      field.addToPage(page, { x: 140, y: 757 - row * 40, width: 260, height: 16, borderWidth: 0 });
    }
    form.flatten();
    const { layout } = await readDocument(await document.save(), { mimeType: PDF }, formEntries);
    expect(layout.pages[0]?.entries?.filter(({ words }) => words.length > 0)).toHaveLength(8);
  });
});
