/** Tables that an engine found, and the words that they take. */
import { describe, expect, it } from "vitest";
import { blockLines, lineText, pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import { mergeOcr } from "../../../../../functions/engine/ocr/merge/merge-ocr.ts";
import type { Block, Layout, TableBlock } from "../../../../../functions/ports/layout.ts";
import type { OcrCell, OcrTable } from "../../../../../functions/ports/ocr.ts";
import { HIGH_CONFIDENCE, kinds, layoutOf, pageOne, texts } from "../../../../support/ocr-merge.ts";
import { lineAt, ocrPage, pageOf, paragraph } from "../../../../support/pages.ts";

describe("recognised tables", () => {
  const cell = (row: number, column: number, words: number[], more: Partial<OcrCell> = {}): OcrCell => ({
    text: "",
    box: { left: column * 2 - 1, top: row + 1, right: column * 2 + 1, bottom: row + 2 },
    words,
    row,
    column,
    rowSpan: 1,
    columnSpan: 1,
    header: row === 1,
    ...more,
  });
  const table = (cells: OcrCell[], more: Partial<OcrTable> = {}): OcrTable => ({
    box: { left: 1, top: 2, right: 5, bottom: 4 },
    rows: 2,
    columns: 2,
    cells,
    titles: [],
    footers: [],
    confidence: 0.9,
    ...more,
  });
  const span = (...words: number[]) => ({ text: "", box: { left: 0, top: 0, right: 1, bottom: 1 }, words });
  // Words 0 to 2 a title, 3 and 4 the head, 5 to 7 the second row, 8 and 9 a footer, 10 and 11 text behind it.
  const blocks = [
    paragraph(lineAt("Table of parts", 1, 1, HIGH_CONFIDENCE)),
    paragraph(
      {
        ...lineAt("Part", 1.2, 2.4, HIGH_CONFIDENCE),
        words: [lineAt("Part", 1.2, 2.4, HIGH_CONFIDENCE), lineAt("Price", 3.2, 2.4, HIGH_CONFIDENCE)].flatMap(
          (one) => one.words,
        ),
      },
      lineAt("Copper pipe", 1.2, 3.2, HIGH_CONFIDENCE),
      lineAt("12.50", 3.2, 3.2, HIGH_CONFIDENCE),
    ),
    paragraph(lineAt("without tax", 1, 4.2, HIGH_CONFIDENCE)),
    paragraph(lineAt("Kind regards", 1, 6, HIGH_CONFIDENCE)),
  ];
  const CELLS = [cell(1, 1, [3]), cell(1, 2, [4]), cell(2, 1, [5, 6]), cell(2, 2, [7])];

  const cellsOf = (layout: Layout): string[] => {
    const found = pageOne(layout).blocks.find((block): block is TableBlock => block.kind === "table");
    return (found?.cells ?? []).map(({ lines }) => lines.map(lineText).join(" / "));
  };

  it("take the words of their cells, each word once, from the blocks that held them", () => {
    const ocr = ocrPage(pageOf(blocks), {
      tables: [table(CELLS, { titles: [span(0, 1, 2)], footers: [span(8, 9)] })],
    });
    const merged = mergeOcr(layoutOf(pageOf([])), [ocr], "textract");
    expect(kinds(merged)).toEqual(["caption", "table", "note", "paragraph"]);
    expect(cellsOf(merged)).toEqual(["Part", "Price", "Copper pipe", "12.50"]);
    expect(pageOne(merged).blocks[1]).toMatchObject({
      rows: 2,
      columns: 2,
      headerRows: 1,
      cells: [
        { row: 0, column: 0 },
        { row: 0, column: 1 },
        { row: 1, column: 0 },
        { row: 1, column: 1 },
      ],
    });
    expect(pageWords(pageOne(merged)).map(({ text }) => text)).toEqual(
      "Table of parts Part Price Copper pipe 12.50 without tax Kind regards".split(" "),
    );
    expect(pageWords(pageOne(merged)).every(({ source }) => source === "ocr")).toBe(true);
  });

  it("leave other words in their blocks, and give a word that two cells claim to the first", () => {
    const cells = [cell(1, 1, [3]), cell(1, 2, [4, 3]), cell(2, 1, [5, 99]), cell(2, 2, [7])];
    const merged = mergeOcr(layoutOf(pageOf([])), [ocrPage(pageOf(blocks), { tables: [table(cells)] })], "textract");
    expect(cellsOf(merged)).toEqual(["Part", "Price", "Copper", "12.50"]);
    expect(texts(merged)).toContain("pipe");
    expect(pageWords(pageOne(merged))).toHaveLength(12);
  });

  it("are dropped with a single cell, and stay without words where the form is empty", () => {
    const frame = table([cell(1, 1, [3])], { rows: 1, columns: 1 });
    const framed = mergeOcr(layoutOf(pageOf([])), [ocrPage(pageOf(blocks), { tables: [frame] })], "textract");
    expect(kinds(framed)).toEqual(["paragraph", "paragraph", "paragraph", "paragraph"]);
    const empty = table([cell(1, 1, []), cell(1, 2, []), cell(2, 1, []), cell(2, 2, [])], {
      box: { left: 1, top: 4.6, right: 5, bottom: 5.8 },
    });
    const form = mergeOcr(layoutOf(pageOf([])), [ocrPage(pageOf(blocks), { tables: [empty] })], "textract");
    expect(kinds(form)).toEqual(["paragraph", "paragraph", "paragraph", "table", "paragraph"]);
  });

  it("have the lines of their cells from the top of the text, however the page was scanned", () => {
    const at = (left: number, top: number, text: string) => {
      const box = { left, top, right: left + 0.15, bottom: top + 0.6 };
      return { box, words: [{ text, box, ...HIGH_CONFIDENCE }] };
    };
    // Turned a quarter clockwise, the first line is the rightmost.
    const lines = paragraph(at(4, 1, "first"), at(3.8, 1, "second"), at(4, 3, "other"));
    const cells = [cell(1, 1, [0, 1]), cell(1, 2, [2])];
    const turned = ocrPage(pageOf([lines]), { tables: [table(cells, { rows: 1 })], angle: 90 });
    expect(cellsOf(mergeOcr(layoutOf(pageOf([])), [turned], "textract"))).toEqual(["first / second", "other"]);
  });

  it("that an engine sees in a good text layer take the layer's words, unless that has them as a table", () => {
    const certain = blocks.map(
      (block) =>
        ({
          ...block,
          lines: blockLines(block).map((line) => ({
            ...line,
            words: line.words.map(({ text, box }) => ({ text, box })),
          })),
        }) as Block,
    );
    const ocr = ocrPage(pageOf(blocks), { tables: [table(CELLS)] });
    const merged = mergeOcr(layoutOf(pageOf(certain)), [ocr], "textract");
    expect(merged.provider).toBe("pdf-text");
    expect(kinds(merged)).toEqual(["paragraph", "table", "paragraph", "paragraph"]);
    expect(cellsOf(merged)).toEqual(["Part", "Price", "Copper pipe", "12.50"]);
    expect(pageWords(pageOne(merged)).some(({ source }) => source === "ocr")).toBe(false);
    const again = mergeOcr(merged, [ocr], "textract");
    expect(kinds(again)).toEqual(kinds(merged));
  });
});
