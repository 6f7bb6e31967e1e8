/** Figures and barcodes among a page's blocks. */
import { rgb } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { transcribe } from "../../../../../functions/engine/exports/transcription/transcribe.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { run as picture } from "../../../../../functions/engine/tasks/picture.run.ts";
import type { Block, Layout } from "../../../../../functions/ports/layout.ts";
import { PDF, PNG } from "../../../../../functions/ports/media-types.ts";
import { lineTexts } from "../../../../support/layout.ts";
import { drawnPdf } from "../../../../support/pdf.ts";
import { patternPng, picturesPdf, show } from "../../structure/figures/pictures.ts";
import { type Modules, symbol, symbolImage, symbolsPdf } from "../barcodes/symbols.ts";

const read = async (bytes: Uint8Array): Promise<Layout> =>
  (await readDocument(bytes, { mimeType: PDF, ocr: "NONE", mayBeEmpty: true })).layout;
const blocksOf = async (bytes: Uint8Array, page = 0): Promise<Block[]> => (await read(bytes)).pages[page]?.blocks ?? [];
const ofKind = <K extends Block["kind"]>(blocks: readonly Block[], kind: K) =>
  blocks.filter((block): block is Extract<Block, { kind: K }> => block.kind === kind);

const illustrated = async (): Promise<Uint8Array> =>
  picturesPdf({ a: await patternPng(320, 200) }, [
    (page, { a }) => {
      page.drawText("Water runs down the hill and is caught in the basin below.", { x: 72, y: 700, size: 12 });
      show(page, a, 72, 500, 240, 150);
      page.drawText("Figure 1: The basin", { x: 72, y: 484, size: 10 });
      page.drawText("From there it is pumped to the village every night.", { x: 72, y: 400, size: 12 });
    },
  ]);

describe("figure of a PDF picture", () => {
  it("stands in reading order with its caption", async () => {
    const blocks = await blocksOf(await illustrated());
    expect(blocks.map(({ kind }) => kind)).toEqual(["paragraph", "figure", "caption", "paragraph"]);
    const [figure] = ofKind(blocks, "figure");
    expect(figure).toMatchObject({ caption: "Figure 1: The basin", lines: [] });
    expect(figure?.box.left).toBeCloseTo(1, 2);
    expect(figure?.box.top).toBeCloseTo((792 - 650) / 72, 2);
    expect(figure?.box.bottom).toBeCloseTo((792 - 500) / 72, 2);
  });

  it("is absent from plain text, a comment in Markdown and a line in JSON", async () => {
    const layout = await read(await illustrated());
    expect(transcribe(layout, "plain").split("\n")).toEqual([
      "Water runs down the hill and is caught in the basin below.",
      "",
      "Figure 1: The basin",
      "",
      "From there it is pumped to the village every night.",
      "",
    ]);
    expect(transcribe(layout, "markdown")).toContain("basin below.\n\n<!-- figure -->\n\n*Figure 1: The basin*\n");
    const lines = transcribe(layout, "jsonl").trim().split("\n");
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({
      kind: "figure",
      page: 1,
      text: "",
      caption: "Figure 1: The basin",
    });
  });

  it("is left out for a picture of the whole page, an icon, and a repeat at the same place", async () => {
    const bytes = await picturesPdf({ a: await patternPng(320, 200), b: await patternPng(100, 100, 2) }, [
      (page, { a, b }) => {
        show(page, a, 0, 0, 612, 792);
        show(page, b, 72, 600, 10, 10);
        show(page, b, 300, 600, 72, 72);
      },
      (page, { b }) => show(page, b, 300, 600, 72, 72),
    ]);
    expect((await read(bytes)).pages.map(({ blocks }) => blocks.length)).toEqual([1, 0]);
  });
});

describe("figure of a PDF drawing", () => {
  it("is found, and text in it stays text", async () => {
    const blocks = await blocksOf(
      await drawnPdf([
        (page, { regular }) => {
          for (let at = 0; at < 8; at += 1) page.drawCircle({ x: 150 + 20 * at, y: 500 + 15 * (at % 3), size: 12 });
          page.drawText("North", { x: 160, y: 545, size: 9, font: regular });
        },
      ]),
    );
    expect(blocks.map(({ kind }) => kind).sort()).toEqual(["figure", "paragraph"]);
    expect(ofKind(blocks, "figure")[0]?.lines).toEqual([]);
  });

  it("is left out for rules, a table's grid and a band behind a title", async () => {
    const bytes = await drawnPdf([
      (page, { regular }) => {
        page.drawRectangle({ x: 40, y: 700, width: 530, height: 30, color: rgb(0.2, 0.3, 0.6) });
        for (let row = 0; row <= 20; row += 1) {
          page.drawLine({ start: { x: 72, y: 600 - 12 * row }, end: { x: 500, y: 600 - 12 * row } });
          if (row < 20) page.drawText(`Item ${row}`, { x: 76, y: 591 - 12 * row, size: 8, font: regular });
        }
        for (const x of [72, 200, 300, 400, 500]) page.drawLine({ start: { x, y: 360 }, end: { x, y: 600 } });
      },
    ]);
    const blocks = await blocksOf(bytes);
    expect(ofKind(blocks, "figure")).toEqual([]);
    expect(ofKind(blocks, "barcode")).toEqual([]);
    expect(ofKind(blocks, "table")).toHaveLength(1);
  });
});

const VALUE = "https://example.org/a--b";

describe("barcode on a PDF page", () => {
  it.each([
    ["modules", { format: "QRCode" }, VALUE, 2, 1],
    ["modules", { format: "DataMatrix" }, "Data matrix", 3, 1],
    ["bars", { format: "EAN13" }, "4006381333931", 1.2, 0.99],
    ["bars", { format: "Code39" }, "SHEAF-39", 1.2, 0.9],
  ] as const)("is read when drawn in %s of %o", async (_, options, value, module, confidence) => {
    const modules = await symbol(value.slice(0, options.format === "EAN13" ? 12 : undefined), options);
    const blocks = await blocksOf(await symbolsPdf([{ modules, left: 100, top: 200, module }]));
    expect(blocks).toMatchObject([{ kind: "barcode", format: options.format, value, confidence, lines: [] }]);
    const [{ box } = { box: undefined }] = blocks;
    expect(box?.left).toBeGreaterThan(99 / 72);
    expect(box?.top).toBeGreaterThan(199 / 72);
    expect(box?.right).toBeLessThan((101 + module * modules.width) / 72);
  });

  const pictured = async (modules: Modules): Promise<Uint8Array> =>
    picturesPdf({ code: await symbolImage(modules, 4).png().toBuffer() }, [
      (page, { code }) => {
        page.drawText("Scan to pay", { x: 300, y: 650, size: 12 });
        show(page, code, 72, 600, 90, 90);
      },
    ]);

  it("replaces the figure of its picture, and its value is no text of the page", async () => {
    const layout = await read(await pictured(await symbol(VALUE, { format: "QRCode" })));
    expect(layout.pages[0]?.blocks.map(({ kind }) => kind).sort()).toEqual(["barcode", "paragraph"]);
    expect(transcribe(layout, "plain")).toBe("Scan to pay\n");
    // Two hyphens would end the comment.
    expect(transcribe(layout, "markdown")).toContain('<!-- barcode QRCode "https://example.org/a-\\u002db" -->');
    const [line] = transcribe(layout, "jsonl")
      .split("\n")
      .filter((one) => one.includes('"barcode"'));
    expect(JSON.parse(line ?? "")).toMatchObject({ text: "", format: "QRCode", value: VALUE, confidence: 1 });
  });

  it("is searched when a page is rendered for OCR, but not at the fastest level", async () => {
    const image = await symbolImage(await symbol(VALUE, { format: "QRCode" }), 6)
      .png()
      .toBuffer();
    const bytes = await sharp(image).extend({ top: 200, bottom: 300, left: 150, background: "white" }).png().toBuffer();
    const options = { mimeType: PNG, pageNumber: 1, maxBytes: 10_000_000 };
    const { barcodes, frame, ink } = await picture.run({ bytes, options: { ...options, level: "DEFAULT" } });
    expect(barcodes).toMatchObject([{ kind: "barcode", format: "QRCode", value: VALUE }]);
    const [{ box } = { box: undefined }] = barcodes ?? [];
    expect(box?.top).toBeGreaterThan(0.25 * frame.height);
    expect(box?.bottom).toBeLessThan(0.75 * frame.height);
    const fast = await picture.run({ bytes, options: { ...options, level: "LOW" } });
    expect(fast.barcodes).toBeUndefined();
    // The ink that distinguishes figures from text is skipped too.
    expect((ink?.across ?? 0) * (ink?.side ?? 0)).toBeCloseTo(frame.width, 0);
    expect(fast.ink).toBeUndefined();
  });
});

it("PDF pages without figures and barcodes keep their lines", async () => {
  const bytes = await drawnPdf([
    (page, { regular }) => page.drawText("Only text", { x: 72, y: 700, size: 12, font: regular }),
  ]);
  const { pages } = await read(bytes);
  expect(pages.map((page) => [page.blocks.length, lineTexts(page)])).toEqual([[1, ["Only text"]]]);
});
