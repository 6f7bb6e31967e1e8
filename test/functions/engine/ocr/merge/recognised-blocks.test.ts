/** Kinds of the blocks of a recognised page. */
import { describe, expect, it } from "vitest";
import { mergeOcr } from "../../../../../functions/engine/ocr/merge/merge-ocr.ts";
import { HIGH_CONFIDENCE, kinds, layoutOf, pageOne, texts } from "../../../../support/ocr-merge.ts";
import { lineAt, ocrPage, pageOf, paragraph } from "../../../../support/pages.ts";

describe("what a block is", () => {
  const at = (top: number, text: string) => paragraph(lineAt(text, 1, top, HIGH_CONFIDENCE));

  it("comes from the engine's roles", () => {
    const blocks = [
      at(0.3, "Harbour Insurance"),
      at(1, "Claim Report"),
      at(2, "Findings"),
      at(3, "The roof was damaged by the storm"),
      at(10, "confidential"),
      at(10.5, "3"),
    ];
    const ocr = ocrPage(pageOf(blocks), {
      roles: ["header", "title", "section-header", "text", "footer", "page-number"],
    });
    const merged = mergeOcr(layoutOf(pageOf([])), [ocr], "textract");
    expect(kinds(merged)).toEqual(["header", "heading", "heading", "paragraph", "footer", "footer"]);
    expect(pageOne(merged).blocks.flatMap((block) => ("level" in block ? [block.level] : []))).toEqual([1, 2]);
  });

  it("is a list item for each marker of a list", () => {
    const list = paragraph(
      lineAt("1. Open the valve", 1, 1, HIGH_CONFIDENCE),
      lineAt("slowly and wait", 1, 1.2, HIGH_CONFIDENCE),
      lineAt("2. Close it again", 1, 1.4, HIGH_CONFIDENCE),
    );
    const bare = at(2, "• Drain the tank");
    const ocr = ocrPage(pageOf([list, bare]), { roles: ["list", "list"] });
    const merged = mergeOcr(layoutOf(pageOf([])), [ocr], "textract");
    expect(pageOne(merged).blocks).toMatchObject([
      { kind: "list-item", level: 1, marker: "1." },
      { kind: "list-item", level: 1, marker: "2." },
      { kind: "list-item", level: 1, marker: "•" },
    ]);
    expect(texts(merged)).toEqual(["1. Open the valve / slowly and wait", "2. Close it again", "• Drain the tank"]);
  });

  it("is a list item for each checkbox, but not for a row of them", () => {
    const list = paragraph(
      lineAt("☒ First aid", 1, 1, HIGH_CONFIDENCE),
      lineAt("☐ Fire drill", 1, 1.2, HIGH_CONFIDENCE),
      lineAt("☐ Yes ☒ No", 1, 1.4, HIGH_CONFIDENCE),
    );
    const merged = mergeOcr(layoutOf(pageOf([])), [ocrPage(pageOf([list]), { roles: ["list"] })], "textract");
    expect(pageOne(merged).blocks).toMatchObject([{ marker: "☒" }, { marker: "☐" }]);
  });

  it("is a figure that keeps its text", () => {
    const ocr = ocrPage(pageOf([at(3, "Figure text")]), { roles: ["figure"] });
    const merged = mergeOcr(layoutOf(pageOf([])), [ocr], "textract");
    expect(kinds(merged)).toEqual(["figure"]);
    expect(texts(merged)).toEqual(["Figure text"]);
  });
});
