import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { layoutTables } from "../../../bench/record-sets/layout-tables.ts";
import { pageBytes } from "../../../bench/record-sets/page-file.ts";
import { readDocument } from "../../../functions/engine/readers/read-document.ts";
import { PDF } from "../../../functions/ports/media-types.ts";

const COLUMN = 120;
const ROW = 24;

/** Two pages; the second has a ruled table whose heading spans two columns. */
async function twoPages(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage([300, 200]);
  const page = pdf.addPage([500, 400]);
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const rows = [
    ["", "Year 2024", ""],
    ["Item", "Units", "Price"],
    ["Nut", "12", "1.20"],
    ["Bolt", "5", "0.80"],
  ];
  const [left, top] = [45, 340];
  const [right, bottom] = [left + 3 * COLUMN, top - rows.length * ROW];
  for (const [at, row] of rows.entries())
    for (const [column, text] of row.entries())
      page.drawText(text, { x: left + 5 + column * COLUMN, y: top - 17 - at * ROW, size: 11, font });
  for (let at = 0; at <= rows.length; at += 1)
    page.drawLine({ start: { x: left, y: top - at * ROW }, end: { x: right, y: top - at * ROW } });
  for (let column = 0; column <= 3; column += 1) {
    const x = left + column * COLUMN;
    page.drawLine({ start: { x, y: column === 2 ? top - ROW : top }, end: { x, y: bottom } });
  }
  return pdf.save();
}

describe("the page that readers get", () => {
  test("is the stated page alone, with its tables", async () => {
    const bytes = await pageBytes({ page: 2, kind: "text layer" }, await twoPages());
    const { layout } = await readDocument(bytes, { mimeType: PDF, ocr: "NONE" });
    expect(layout.pageCount).toBe(1);
    const [table] = layoutTables(layout);
    expect(table?.cells.slice(0, 3)).toEqual([
      { text: "Year 2024", row: 0, column: 1, rowSpan: 1, columnSpan: 2 },
      { text: "Item", row: 1, column: 0, rowSpan: 1, columnSpan: 1 },
      { text: "Units", row: 1, column: 1, rowSpan: 1, columnSpan: 1 },
    ]);
    expect(table?.cells.length).toBe(10);
  });

  test("is drawn as a scan of the same size, without text and the same each time", async () => {
    const original = await twoPages();
    const [one, other] = [
      await pageBytes({ page: 2, kind: "drawn" }, original),
      await pageBytes({ page: 2, kind: "drawn" }, original),
    ];
    expect(Buffer.from(one).equals(other)).toBe(true);
    const { layout, pending } = await readDocument(one, { mimeType: PDF, mayBeEmpty: true });
    expect([layout.pages[0]?.width.toFixed(1), layout.pages[0]?.height.toFixed(1)]).toEqual(["6.9", "5.6"]);
    expect(layoutTables(layout)).toEqual([]);
    expect(pending).toEqual([1]);
  });

  test("is a picture as it stands", async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    expect(await pageBytes({ kind: "photo" }, bytes)).toBe(bytes);
  });

  test("must be in the document", async () => {
    await expect(pageBytes({ page: 9, kind: "text layer" }, await twoPages())).rejects.toThrow();
  });
});
