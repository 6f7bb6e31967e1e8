/** Merging of a page's text layer and its recognised text. */
import { describe, expect, it } from "vitest";
import { lineText, pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import { mergeOcr } from "../../../../../functions/engine/ocr/merge/merge-ocr.ts";
import type { BarcodeBlock, Block, Layout, Page, TableBlock } from "../../../../../functions/ports/layout.ts";
import type { OcrPage } from "../../../../../functions/ports/ocr.ts";
import { ENGLISH, HIGH_CONFIDENCE, kinds, layoutOf, pageOne, texts } from "../../../../support/ocr-merge.ts";
import { lineAt, ocrPage, pageOf, paragraph, shiftLetters, textPage } from "../../../../support/pages.ts";

describe("a page without a text layer", () => {
  it("takes the recognised blocks, their words marked, with size and turn of the file", () => {
    const scan = { ...pageOf([]), rotation: 90 };
    const merged = mergeOcr(layoutOf(scan), [ocrPage(textPage(ENGLISH, HIGH_CONFIDENCE))], "tesseract");
    expect(merged).toMatchObject({ provider: "tesseract", pageCount: 1 });
    expect(pageOne(merged)).toMatchObject({ number: 1, rotation: 90, width: 8.5 });
    const words = pageWords(pageOne(merged));
    expect(words.map(({ text }) => text).join(" ")).toBe(ENGLISH.replaceAll(/\s+/g, " "));
    expect(words.every(({ source, confidence }) => source === "ocr" && confidence === 0.95)).toBe(true);
  });

  it("keeps pictures on the page, but not the one that is the page", () => {
    const figure = (left: number, top: number, right: number, bottom: number): Block => ({
      kind: "figure",
      box: { left, top, right, bottom },
      lines: [],
    });
    const scan = pageOf([figure(0, 0, 8.5, 11), figure(1, 0.2, 2, 0.8)]);
    const merged = mergeOcr(layoutOf(scan), [ocrPage(textPage(ENGLISH, HIGH_CONFIDENCE))], "tesseract");
    expect(kinds(merged)).toEqual(["figure", "paragraph"]);
  });

  it("has the barcodes that its picture showed, each once, also where nothing was recognised", () => {
    const code = (value: string, top: number): BarcodeBlock => {
      const box = { left: 5, top, right: 6, bottom: top + 1 };
      return { kind: "barcode", box, lines: [], format: "QRCode", value, confidence: 1 };
    };
    const scan = pageOf([code("A", 9)]);
    const seen = { barcodes: [code("A", 9.1), code("B", 0.1), code("B", 0.15), code("A", 4)] };
    const merged = mergeOcr(layoutOf(scan), [ocrPage(textPage(ENGLISH, HIGH_CONFIDENCE), seen)], "tesseract");
    const valuesOf = (layout: Layout) =>
      pageOne(layout).blocks.map((block) => (block.kind === "barcode" ? block.value : block.kind));
    expect(valuesOf(merged)).toEqual(["B", "paragraph", "A", "A"]);
    expect(valuesOf(mergeOcr(merged, [ocrPage(pageOf([]), seen)], "tesseract"))).toEqual(valuesOf(merged));
    expect(valuesOf(mergeOcr(layoutOf(pageOf([])), [ocrPage(pageOf([]), seen)], "tesseract"))).toEqual(["B", "A", "A"]);
  });

  it("stays as it is when nothing was recognised", () => {
    const scan = pageOf([{ kind: "figure", box: { left: 0, top: 0, right: 8, bottom: 9 }, lines: [] }]);
    const layout = layoutOf(scan, textPage(ENGLISH, {}, 2));
    expect(mergeOcr(layout, [ocrPage(pageOf([]))], "tesseract")).toEqual(layout);
  });

  it("is added to a file without a layout", () => {
    const none: Layout = { ...layoutOf(), provider: "image", pageCount: 2 };
    const pages = [2, 1].map((number) => ocrPage(textPage(`Page ${number}`, HIGH_CONFIDENCE, number)));
    const merged = mergeOcr(none, pages, "textract");
    expect(merged).toMatchObject({ provider: "textract", pageCount: 2 });
    expect(merged.pages.map(({ number }) => number)).toEqual([1, 2]);
  });
});

describe("a page with a text layer", () => {
  const scan = textPage(ENGLISH, HIGH_CONFIDENCE);
  const stamp = (text: string, top: number, left = 5) => paragraph(lineAt(text, left, top));

  it("of few words stands where it stands, found or not, in the place of what was recognised there", () => {
    const found = { ...scan, blocks: [paragraph(lineAt("Recelved 5 March", 5, 0.2, HIGH_CONFIDENCE)), ...scan.blocks] };
    const layer = pageOf([stamp("Received 5 March", 0.22), stamp("Page 7 of 9", 10.5), stamp("Copy", 0.5, 1)]);
    const merged = mergeOcr(layoutOf(layer), [ocrPage(found)], "tesseract");
    expect(merged.provider).toBe("pdf-text+tesseract");
    const [first, second] = texts(merged);
    expect([first, second, texts(merged).at(-1)]).toEqual(["Received 5 March", "Copy", "Page 7 of 9"]);
    expect(texts(merged)).toHaveLength(4);
    const own = pageWords(pageOne(merged)).filter(({ source }) => source === undefined);
    expect(own.map(({ text }) => text).join(" ")).toBe("Received 5 March Copy Page 7 of 9");
  });

  it("keeps recognised words beneath its watermark", () => {
    const found = ["Rent is due on the first", "Pets are not allowed here"].map((text, index) =>
      paragraph(lineAt(text, 2, 4 + index, HIGH_CONFIDENCE)),
    );
    const box = { left: 1, top: 2, right: 7.5, bottom: 9 };
    const watermark: Block = { kind: "paragraph", box, lines: [{ box, words: [{ text: "COPY", box }] }] };
    const merged = mergeOcr(layoutOf(pageOf([watermark])), [ocrPage(pageOf(found))], "tesseract");
    expect(texts(merged).sort()).toEqual(["COPY", "Pets are not allowed here", "Rent is due on the first"]);
  });

  it("takes no specks of its photos for words", () => {
    const specks = [
      lineAt("~ |", 5, 0.3, HIGH_CONFIDENCE),
      lineAt("ei", 6, 0.6, { confidence: 0.7 }),
      lineAt("vom Lr Bs", 6, 0.9, { confidence: 0.4 }),
    ];
    const found = pageOf([...specks.map((line) => paragraph(line)), ...scan.blocks]);
    const merged = mergeOcr(layoutOf(textPage(ENGLISH)), [ocrPage(found)], "tesseract");
    expect(pageWords(pageOne(merged)).filter(({ source }) => source === "ocr")).toEqual([]);
  });

  it("has its garbled words replaced where they stand, and only those", () => {
    const cell = (column: number, text: string, left: number, more = {}) => {
      const line = lineAt(text, left, 8, more);
      return { row: 0, column, rowSpan: 1, columnSpan: 1, box: line.box, lines: [line] };
    };
    const cells = [cell(0, "Copper pipe", 1), cell(1, "\ue012\ue013\ue01a", 4)];
    const table: TableBlock = { kind: "table", box: lineAt("x", 1, 8).box, rows: 1, columns: 2, headerRows: 0, cells };
    const layer = pageOf([...textPage(ENGLISH).blocks, table]);
    const garbled = cells[1]?.lines.map(({ box }) => box) ?? [];
    const signs = { pictureCover: 0, hiddenShare: 0, unmappedShare: 0.01, largestPicture: 0, drawn: true, garbled };
    const read = [lineAt("Coppar pipe", 1, 8, HIGH_CONFIDENCE), lineAt("12.50", 4, 8, HIGH_CONFIDENCE)].map((line) =>
      paragraph(line),
    );
    const found = ocrPage(pageOf([...textPage(ENGLISH.replaceAll("i", "l"), HIGH_CONFIDENCE).blocks, ...read]));
    const merged = mergeOcr(layoutOf(layer), [found], "tesseract", new Map([[1, signs]]));
    const last = pageOne(merged).blocks.at(-1);
    expect(last?.kind === "table" ? last.cells.map(({ lines }) => lines.map(lineText)) : []).toEqual([
      ["Copper pipe"],
      ["12.50"],
    ]);
    expect(
      pageWords(pageOne(merged))
        .filter(({ source }) => source === "ocr")
        .map(({ text }) => text),
    ).toEqual(["12.50"]);
  });

  it("keeps comments, with any text beneath their mark", () => {
    const line = lineAt("Please check this", 1, 1);
    const note: Block = { kind: "note", box: line.box, lines: [line] };
    for (const layer of [[note], [note, stamp("Copy", 0.5)], [note, ...textPage(shiftLetters(ENGLISH, 5)).blocks]]) {
      const merged = mergeOcr(layoutOf(pageOf(layer)), [ocrPage(scan)], "tesseract");
      expect(texts(merged)).toContain("Please check this");
      expect(kinds(merged).filter((kind) => kind === "note")).toHaveLength(1);
    }
  });

  it("stands when it is most of the page, and takes the text of pictures", () => {
    const logo = paragraph(lineAt("Northwind Traders", 5, 0.3, HIGH_CONFIDENCE));
    const misread = textPage(ENGLISH.replaceAll("i", "l"), HIGH_CONFIDENCE);
    const merged = mergeOcr(layoutOf(textPage(ENGLISH)), [ocrPage(pageOf([logo, ...misread.blocks]))], "tesseract");
    expect(merged.provider).toBe("pdf-text+tesseract");
    expect(texts(merged)[0]).toBe("Northwind Traders");
    expect(pageWords(pageOne(merged)).filter(({ source }) => source === "ocr")).toHaveLength(2);
    expect(pageWords(pageOne(merged)).filter(({ source }) => source !== "ocr")).toHaveLength(
      ENGLISH.split(/\s+/).length,
    );
  });

  it("gives way when it is garbled, and stays when what was recognised is worse", () => {
    const garbled = layoutOf(textPage(shiftLetters(ENGLISH, 5)), textPage(ENGLISH, {}, 2));
    const merged = mergeOcr(garbled, [ocrPage(scan)], "tesseract");
    expect(merged.provider).toBe("pdf-text+tesseract");
    expect(pageWords(pageOne(merged))[0]).toMatchObject({ text: "We", source: "ocr" });
    expect(pageWords(pageOne(merged))).toHaveLength(ENGLISH.split(/\s+/).length);
    const worse = textPage(shiftLetters(ENGLISH, 13), { confidence: 0.2 });
    const doubtful = layoutOf(textPage(`${ENGLISH} ${shiftLetters(ENGLISH, 5)}`));
    expect(mergeOcr(doubtful, [ocrPage(worse)], "tesseract")).toEqual(doubtful);
  });

  it("keeps its angle where it stays, and loses it where recognition replaces it", () => {
    const angles = (layer: Page, ...angle: number[]) =>
      angle.reduce(
        (layout, one) => mergeOcr(layout, [ocrPage(scan, { angle: one })], "tesseract"),
        layoutOf({ ...layer, angle: 90 }),
      ).pages[0]?.angle;
    expect(angles(textPage(ENGLISH), 0)).toBe(90);
    const logo = { ...scan, blocks: [paragraph(lineAt("Northwind Traders", 5, 0.3, HIGH_CONFIDENCE)), ...scan.blocks] };
    const once = mergeOcr(layoutOf({ ...textPage(ENGLISH), angle: 90 }), [ocrPage(logo)], "tesseract");
    expect(pageOne(mergeOcr(once, [ocrPage(logo)], "textract")).angle).toBe(90);
    expect(angles(pageOf([stamp("RECEIVED", 0.2)]), 0)).toBeUndefined();
    expect(angles(pageOf([stamp("RECEIVED", 0.2)]), 0, -90)).toBe(-90);
  });

  it("stays unchanged on pages that were not recognised", () => {
    const layout = layoutOf(pageOf([]), textPage(ENGLISH, {}, 2));
    const merged = mergeOcr(layout, [ocrPage(scan)], "tesseract");
    expect(merged.pages[1]).toBe(layout.pages[1]);
    expect(merged.provider).toBe("pdf-text+tesseract");
  });
});

describe("a page that is recognised again", () => {
  const read = (text: string, confidence: number, number = 1): OcrPage =>
    ocrPage(textPage(text, { confidence }, number));
  const first = mergeOcr(
    layoutOf(pageOf([], 1), pageOf([], 2)),
    [read(ENGLISH, 0.6), read(ENGLISH, 0.9, 2)],
    "tesseract",
  );

  it("becomes the better reading, and names the providers", () => {
    const better = mergeOcr(first, [read(ENGLISH, 0.98)], "textract");
    expect(pageWords(pageOne(better))[0]?.confidence).toBe(0.98);
    expect(better.provider).toBe("tesseract+textract");
    expect(mergeOcr(first, [read(shiftLetters(ENGLISH, 8), 0.98)], "textract")).toEqual(first);
  });

  it("does not lose text to a few words that are surer", () => {
    const few = read("We thank you for your order", 0.99);
    expect(mergeOcr(first, [few], "textract")).toEqual(first);
  });

  it("keeps the stamp of its text layer through both", () => {
    const stamped = layoutOf(pageOf([paragraph(lineAt("RECEIVED", 5, 0.2))]));
    const once = mergeOcr(stamped, [read(ENGLISH, 0.6)], "tesseract");
    const twice = mergeOcr(once, [read(ENGLISH, 0.98)], "textract");
    expect(twice.provider).toBe("pdf-text+textract");
    expect(texts(twice)[0]).toBe("RECEIVED");
    expect(pageWords(pageOne(twice))).toHaveLength(ENGLISH.split(/\s+/).length + 1);
  });
});

it("mergeOcr: stays fast with more words in one place than any page has", () => {
  const crowd = (more: object) =>
    pageOf([paragraph(...Array.from({ length: 20_000 }, () => lineAt("order", 1, 1, more)))]);
  const startedAt = performance.now();
  mergeOcr(layoutOf(crowd({})), [ocrPage(crowd(HIGH_CONFIDENCE))], "tesseract");
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
