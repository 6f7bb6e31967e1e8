/** Boxes to tick that an engine found, on a page with words of its own. */
import { describe, expect, it } from "vitest";
import { lineText, pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import { mergeOcr } from "../../../../../functions/engine/ocr/merge/merge-ocr.ts";
import type { Block, Line, TableBlock } from "../../../../../functions/ports/layout.ts";
import type { OcrPage } from "../../../../../functions/ports/ocr.ts";
import { ENGLISH, HIGH_CONFIDENCE, layoutOf, pageOne, texts } from "../../../../support/ocr-merge.ts";
import { lineAt, ocrPage, pageOf, paragraph, textPage } from "../../../../support/pages.ts";

describe("checkboxes on a page with a text layer", () => {
  const at = (text: string, left: number, top: number, more: object = {}) => lineAt(text, left, top, more);
  const label = at("Married", 1.2, 5);
  const layer = textPage(ENGLISH);
  const recognised = (...lines: Line[]): OcrPage =>
    ocrPage(pageOf([...textPage(ENGLISH, HIGH_CONFIDENCE).blocks, paragraph(...lines)]), {
      fields: [{ label: fieldSpan(0), values: [fieldSpan(1, 2)], confidence: 0.9 }],
    });
  const fieldSpan = (...words: number[]) => ({ text: "", box: label.box, words });
  const merge = (blocks: Block[], ...lines: Line[]) =>
    mergeOcr(layoutOf(pageOf([...layer.blocks, ...blocks])), [recognised(...lines)], "textract");

  it("come into its lines, and its fields have the layer's words", () => {
    const merged = merge(
      [paragraph(label)],
      at("☒", 1, 5, HIGH_CONFIDENCE),
      at("Marrled", 1.21, 5.01, HIGH_CONFIDENCE),
    );
    expect(texts(merged).at(-1)).toBe("☒ Married");
    const [mark, word] = pageWords(pageOne(merged)).slice(-2);
    expect(mark).toMatchObject({ source: "ocr", confidence: 0.95 });
    expect(word).toEqual(label.words[0]);
    const [first, second, third] = pageWords(pageOne(merged)).map(({ box }) => box);
    expect(pageOne(merged).fields).toEqual([{ label: [first], values: [[second, third]], confidence: 0.9 }]);
    expect(merged.provider).toBe("pdf-text+textract");
    // Once more: neither mark nor field twice.
    const again = mergeOcr(
      merged,
      [recognised(at("☒", 1, 5, HIGH_CONFIDENCE), at("Marrled", 1.21, 5.01, HIGH_CONFIDENCE))],
      "textract",
    );
    expect(pageOne(again)).toEqual(pageOne(merged));
  });

  it("join the cells of its tables", () => {
    const cell = (column: number, lines: Line[]) => ({
      row: 0,
      column,
      rowSpan: 1,
      columnSpan: 1,
      box: { left: 1 + column * 2, top: 4.8, right: 3 + column * 2, bottom: 5.4 },
      lines,
    });
    const box = { left: 1, top: 4.8, right: 5, bottom: 5.4 };
    const table: Block = {
      kind: "table",
      box,
      rows: 1,
      columns: 2,
      headerRows: 0,
      cells: [cell(0, [label]), cell(1, [])],
    };
    const merged = merge([table], at("☐", 4, 5, HIGH_CONFIDENCE), at("☒", 1.05, 5, HIGH_CONFIDENCE));
    const found = pageOne(merged).blocks.find((block): block is TableBlock => block.kind === "table");
    expect(found?.cells.map(({ lines }) => lines.map(lineText))).toEqual([["☒ Married"], ["☐"]]);
    expect(texts(merged)).toHaveLength(2);
  });

  it("tick a frame that the layer has, and no more than once", () => {
    const frame = at("☐ Married", 1, 5);
    const ticked = merge([paragraph(frame)], at("☒", 1, 5, HIGH_CONFIDENCE));
    expect(texts(ticked).at(-1)).toBe("☒ Married");
    const open = merge([paragraph(frame)], at("☐", 1, 5, HIGH_CONFIDENCE));
    expect(texts(open).at(-1)).toBe("☐ Married");
    const told = merge([paragraph(at("✔ Married", 1, 5))], at("☒", 1, 5, HIGH_CONFIDENCE));
    expect(texts(told).at(-1)).toBe("✔ Married");
  });

  it("stand by themselves where the layer has nothing near", () => {
    expect(texts(merge([paragraph(label)], at("☒ Paid", 5, 8, HIGH_CONFIDENCE)))).toEqual([
      expect.stringContaining("We thank you"),
      "Married",
      "☒ Paid",
    ]);
  });
});
