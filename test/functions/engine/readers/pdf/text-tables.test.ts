import { rgb } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { lineText, pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import { readPdfPage } from "../../../../../functions/engine/readers/pdf/read-pdf-page.ts";
import type { Block, Page, TableBlock } from "../../../../../functions/ports/layout.ts";
import { drawnPdf, invoiceLines, type PageOptions, type Placed, textPdf } from "../../../../support/pdf.ts";

const readPages = (bytes: Uint8Array): Promise<Page[]> =>
  withPdf(bytes, ({ pageCount, withPage }) =>
    Array.from({ length: pageCount }, (_, index) => withPage(index, (page) => readPdfPage(page, index + 1))),
  );
const readFirst = async (bytes: Uint8Array): Promise<Page> => {
  const [page] = await readPages(bytes);
  if (page === undefined) throw new Error("The document has no page");
  return page;
};
const tablesOf = (page: Page): TableBlock[] => page.blocks.filter((block) => block.kind === "table");
const rowsOf = (table: TableBlock | undefined): string[][] =>
  Array.from({ length: table?.rows ?? 0 }, (_, row) =>
    (table?.cells ?? []).filter((cell) => cell.row === row).map((cell) => cell.lines.map(lineText).join(" / ")),
  );
const describeBlock = (block: Block): string =>
  block.kind === "table" ? "TABLE" : block.lines.map(lineText).join("|");

/** A grid of three columns and four rows about a place, its cells named, with text above and below. */
const gridPdf = (options: PageOptions = {}, turn = 0): Promise<Uint8Array> =>
  drawnPdf(
    [
      (page, { regular, bold }) => {
        page.drawText("Stock in the spring", { x: 100, y: 560, size: 14, font: bold });
        for (const [row, y] of [520, 500, 480, 460].entries())
          for (const [column, x] of [104, 204, 304].entries())
            page.drawText(row === 0 ? `Head ${column}` : `cell ${row}${column}`, {
              x,
              y: y + 6,
              size: 10,
              font: regular,
            });
        for (const y of [540, 520, 500, 480, 460])
          page.drawLine({ start: { x: 100, y }, end: { x: 400, y }, thickness: 0.5 });
        for (const x of [100, 200, 300, 400])
          page.drawLine({ start: { x, y: 540 }, end: { x, y: 460 }, thickness: 0.5 });
        page.drawText(`Counted by hand${turn === 0 ? "" : "."}`, { x: 100, y: 430, size: 10, font: regular });
      },
    ],
    options,
  );

const GRID = [0, 1, 2, 3].map((row) =>
  [0, 1, 2].map((column) => (row === 0 ? `Head ${column}` : `cell ${row}${column}`)),
);

describe("readPdfPage tables", () => {
  it("stand in reading order, with cells where they are drawn", async () => {
    const page = await readFirst(await gridPdf());
    expect(page.blocks.map(describeBlock)).toEqual(["Stock in the spring", "TABLE", "Counted by hand"]);
    const [table] = tablesOf(page);
    expect(rowsOf(table)).toEqual(GRID);
    const inches = (value: number): number => value / 72;
    expect(table?.box.left).toBeCloseTo(inches(100), 2);
    expect(table?.box.top).toBeCloseTo(inches(792 - 540), 2);
    expect(table?.cells[4]?.box.left).toBeCloseTo(inches(200), 2);
    expect(table?.cells[4]?.box.bottom).toBeCloseTo(inches(792 - 500), 2);
    for (const { box, lines } of table?.cells ?? [])
      for (const line of lines) {
        expect(line.box.left).toBeGreaterThanOrEqual(box.left);
        expect(line.box.bottom).toBeLessThanOrEqual(box.bottom + 0.01);
      }
    expect(
      pageWords(page)
        .map((word) => word.text)
        .slice(4, 8),
    ).toEqual(["Head", "0", "Head", "1"]);
  });

  it.each([90, 180, 270] as const)("are found on a page rotated by %i degrees", async (rotate) => {
    // The text then runs in another direction than that of the page as shown.
    const [table] = tablesOf(await readFirst(await gridPdf({ rotate })));
    expect(rowsOf(table)).toEqual(GRID);
    const width = (table?.box.right ?? 0) - (table?.box.left ?? 0);
    expect(width).toBeCloseTo(rotate === 180 ? 300 / 72 : 80 / 72, 1);
  });

  it("take the words of an invoice's items, without its labels and addresses", async () => {
    const page = await readFirst(await textPdf(invoiceLines));
    const [table, ...others] = tablesOf(page);
    expect(others).toEqual([]);
    expect(rowsOf(table)).toEqual([
      ["Item", "Qty", "Price", "Amount"],
      ["Trennblätter A4, weiß", "20", "9.90", "198.00"],
      ["Joghurt Banane", "50", "5.50", "275.00"],
    ]);
    expect(table?.headerRows).toBe(1);
    const expected = invoiceLines.flatMap((line) => line.text.split(" ")).sort();
    expect(
      pageWords(page)
        .map((word) => word.text)
        .sort(),
    ).toEqual(expected);
  });

  it("find rows on bands", async () => {
    const rows = ["Tea", "Salt", "Rice"].map((name, index) => [name, `${index + 2}`, `${index}.75`]);
    const bytes = await drawnPdf([
      (page, { regular }) => {
        for (const [row, cells] of [["Good", "Boxes", "Price"], ...rows].entries()) {
          const y = 600 - 20 * row;
          if (row % 2 === 0) page.drawRectangle({ x: 70, y: y - 5, width: 400, height: 20, color: rgb(0.9, 0.95, 1) });
          for (const [column, text] of cells.entries())
            page.drawText(text, { x: 80 + 130 * column, y, size: 10, font: regular });
        }
      },
    ]);
    expect(rowsOf(tablesOf(await readFirst(bytes))[0])).toEqual([["Good", "Boxes", "Price"], ...rows]);
  });

  it("are not found in two columns of text, and keep their place beside them", async () => {
    const sentence = "Words that fill the whole column go on";
    const column = (x: number, rows: number[]): Placed[] =>
      rows.map((row) => ({ text: sentence, x, y: 700 - 14 * row, size: 10 }));
    const all = Array.from({ length: 24 }, (_, row) => row);
    const prose = await readFirst(await textPdf([...column(60, all), ...column(330, all)]));
    expect(tablesOf(prose)).toEqual([]);
    const table: Placed[] = [
      ["Item", "Qty", "Sum"],
      ["Nails", "20", "9.90"],
      ["Bolts", "5", "1.50"],
      ["Nuts", "12", "0.75"],
    ].flatMap((cells, row) =>
      cells.map((text, at) => ({ text, x: 330 + 70 * at, y: 700 - 14 * (row + 10), size: 10, bold: row === 0 })),
    );
    const right = all.filter((row) => row < 9 || row > 14);
    const page = await readFirst(await textPdf([...column(60, all), ...column(330, right), ...table]));
    expect(rowsOf(tablesOf(page)[0]).map((row) => row[0])).toEqual(["Item", "Nails", "Bolts", "Nuts"]);
    const place = page.blocks.findIndex((block) => block.kind === "table");
    const before = page.blocks.slice(0, place).flatMap((block) => (block.kind === "table" ? [] : block.lines));
    expect(before.filter((line) => line.box.left < 4)).toHaveLength(24);
    expect(before.filter((line) => line.box.left > 4)).toHaveLength(9);
  });
});
