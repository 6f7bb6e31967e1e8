import { describe, expect, it } from "vitest";
import type { Block, Layout, Line, Page, TableBlock } from "../../../../functions/core/documents/layout.ts";
import { blockLines, lineText, pageWords } from "../../../../functions/core/documents/layout.ts";
import { mergeOcr } from "../../../../functions/core/ocr/merge.ts";
import type { OcrCell, OcrPage, OcrTable } from "../../../../functions/core/ocr/ports.ts";
import { lineAt, ocrPage, pageOf, paragraph, shifted, TEXTS, textPage } from "../../../support/pages.ts";

const ENGLISH = TEXTS.en ?? "";
const layoutOf = (...pages: Page[]): Layout => ({
  v: 2,
  provider: "pdf-text",
  logicalPages: false,
  pageCount: pages.length,
  pages,
});
const SURE = { confidence: 0.95 };
const textOf = (block: Block): string => blockLines(block).map(lineText).join(" / ");
const pageOne = (layout: Layout): Page => layout.pages[0] ?? pageOf([]);
const texts = (layout: Layout): string[] => pageOne(layout).blocks.map(textOf);
const kinds = (layout: Layout) => pageOne(layout).blocks.map(({ kind }) => kind);

describe("a page without a text layer", () => {
  it("becomes what was recognised, its words marked, size and turn the file's", () => {
    const scan = { ...pageOf([]), rotation: 90 };
    const merged = mergeOcr(layoutOf(scan), [ocrPage(textPage(ENGLISH, SURE))], "tesseract");
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
    const merged = mergeOcr(layoutOf(scan), [ocrPage(textPage(ENGLISH, SURE))], "tesseract");
    expect(kinds(merged)).toEqual(["figure", "paragraph"]);
  });

  it("stays as it is when nothing was recognised", () => {
    const scan = pageOf([{ kind: "figure", box: { left: 0, top: 0, right: 8, bottom: 9 }, lines: [] }]);
    const layout = layoutOf(scan, textPage(ENGLISH, {}, 2));
    expect(mergeOcr(layout, [ocrPage(pageOf([]))], "tesseract")).toEqual(layout);
  });

  it("may be of a file that has no layout yet", () => {
    const none: Layout = { ...layoutOf(), provider: "image", pageCount: 2 };
    const pages = [2, 1].map((number) => ocrPage(textPage(`Page ${number}`, SURE, number)));
    const merged = mergeOcr(none, pages, "textract");
    expect(merged).toMatchObject({ provider: "textract", pageCount: 2 });
    expect(merged.pages.map(({ number }) => number)).toEqual([1, 2]);
  });
});

describe("what a block is", () => {
  const at = (top: number, text: string) => paragraph(lineAt(text, 1, top, SURE));

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

  it("is an item for each marker of a list", () => {
    const list = paragraph(
      lineAt("1. Open the valve", 1, 1, SURE),
      lineAt("slowly and wait", 1, 1.2, SURE),
      lineAt("2. Close it again", 1, 1.4, SURE),
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

  it("is an item for each box to tick, but not for a row of them", () => {
    const list = paragraph(
      lineAt("☒ First aid", 1, 1, SURE),
      lineAt("☐ Fire drill", 1, 1.2, SURE),
      lineAt("☐ Yes ☒ No", 1, 1.4, SURE),
    );
    const merged = mergeOcr(layoutOf(pageOf([])), [ocrPage(pageOf([list]), { roles: ["list"] })], "textract");
    expect(pageOne(merged).blocks).toMatchObject([{ marker: "☒" }, { marker: "☐" }]);
  });

  it("is a figure with its text", () => {
    const ocr = ocrPage(pageOf([at(3, "Figure text")]), { roles: ["figure"] });
    const merged = mergeOcr(layoutOf(pageOf([])), [ocr], "textract");
    expect(kinds(merged)).toEqual(["figure"]);
    expect(texts(merged)).toEqual(["Figure text"]);
  });
});

describe("tables", () => {
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
    paragraph(lineAt("Table of parts", 1, 1, SURE)),
    paragraph(
      {
        ...lineAt("Part", 1.2, 2.4, SURE),
        words: [lineAt("Part", 1.2, 2.4, SURE), lineAt("Price", 3.2, 2.4, SURE)].flatMap((one) => one.words),
      },
      lineAt("Copper pipe", 1.2, 3.2, SURE),
      lineAt("12.50", 3.2, 3.2, SURE),
    ),
    paragraph(lineAt("without tax", 1, 4.2, SURE)),
    paragraph(lineAt("Kind regards", 1, 6, SURE)),
  ];
  const CELLS = [cell(1, 1, [3]), cell(1, 2, [4]), cell(2, 1, [5, 6]), cell(2, 2, [7])];

  const cellsOf = (layout: Layout): string[] => {
    const found = pageOne(layout).blocks.find((block): block is TableBlock => block.kind === "table");
    return (found?.cells ?? []).map(({ lines }) => lines.map(lineText).join(" / "));
  };

  it("take the words of their cells, each word once, in the place of what held them", () => {
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

  it("leave what is in no cell in its block, and give a word that two cells claim to the first", () => {
    const cells = [cell(1, 1, [3]), cell(1, 2, [4, 3]), cell(2, 1, [5, 99]), cell(2, 2, [7])];
    const merged = mergeOcr(layoutOf(pageOf([])), [ocrPage(pageOf(blocks), { tables: [table(cells)] })], "textract");
    expect(cellsOf(merged)).toEqual(["Part", "Price", "Copper", "12.50"]);
    expect(texts(merged)).toContain("pipe");
    expect(pageWords(pageOne(merged))).toHaveLength(12);
  });

  it("are none of a single cell, and stay without words where the form is empty", () => {
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
      return { box, words: [{ text, box, ...SURE }] };
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

describe("a page with a text layer", () => {
  const scan = textPage(ENGLISH, SURE);
  const stamp = (text: string, top: number, left = 5) => paragraph(lineAt(text, left, top));

  it("keeps a stamp that was not found, where it stands, and drops one that was", () => {
    const found = { ...scan, blocks: [paragraph(lineAt("Received 5 March", 5, 0.2, SURE)), ...scan.blocks] };
    const layer = pageOf([stamp("RECEIVED 5 March", 0.22), stamp("Page 7 of 9", 10.5), stamp("Copy", 0.5, 1)]);
    const merged = mergeOcr(layoutOf(layer), [ocrPage(found)], "tesseract");
    expect(merged.provider).toBe("pdf-text+tesseract");
    const [first, second] = texts(merged);
    expect([first, second, texts(merged).at(-1)]).toEqual(["Received 5 March", "Copy", "Page 7 of 9"]);
    expect(texts(merged)).toHaveLength(4);
    const copy = pageWords(pageOne(merged)).find(({ text }) => text === "Copy");
    expect(copy?.source).toBeUndefined();
  });

  it("keeps comments, whatever stands beneath their mark", () => {
    const line = lineAt("Please check this", 1, 1);
    const note: Block = { kind: "note", box: line.box, lines: [line] };
    for (const layer of [[note], [note, stamp("Copy", 0.5)], [note, ...textPage(shifted(ENGLISH, 5)).blocks]]) {
      const merged = mergeOcr(layoutOf(pageOf(layer)), [ocrPage(scan)], "tesseract");
      expect(texts(merged)).toContain("Please check this");
      expect(kinds(merged).filter((kind) => kind === "note")).toHaveLength(1);
    }
  });

  it("stands when it is most of the page, and takes the text of pictures", () => {
    const logo = paragraph(lineAt("Northwind Traders", 5, 0.3, SURE));
    const misread = textPage(ENGLISH.replaceAll("i", "l"), SURE);
    const merged = mergeOcr(layoutOf(textPage(ENGLISH)), [ocrPage(pageOf([logo, ...misread.blocks]))], "tesseract");
    expect(merged.provider).toBe("pdf-text+tesseract");
    expect(texts(merged)[0]).toBe("Northwind Traders");
    expect(pageWords(pageOne(merged)).filter(({ source }) => source === "ocr")).toHaveLength(2);
    expect(pageWords(pageOne(merged)).filter(({ source }) => source !== "ocr")).toHaveLength(
      ENGLISH.split(/\s+/).length,
    );
  });

  it("gives way when it is garbled, and stays when what was recognised is worse", () => {
    const garbled = layoutOf(textPage(shifted(ENGLISH, 5)), textPage(ENGLISH, {}, 2));
    const merged = mergeOcr(garbled, [ocrPage(scan)], "tesseract");
    expect(merged.provider).toBe("pdf-text+tesseract");
    expect(pageWords(pageOne(merged))[0]).toMatchObject({ text: "We", source: "ocr" });
    expect(pageWords(pageOne(merged))).toHaveLength(ENGLISH.split(/\s+/).length);
    const worse = textPage(shifted(ENGLISH, 13), { confidence: 0.2 });
    const doubtful = layoutOf(textPage(`${ENGLISH} ${shifted(ENGLISH, 5)}`));
    expect(mergeOcr(doubtful, [ocrPage(worse)], "tesseract")).toEqual(doubtful);
  });

  it("is not touched on pages that were not recognised", () => {
    const layout = layoutOf(pageOf([]), textPage(ENGLISH, {}, 2));
    const merged = mergeOcr(layout, [ocrPage(scan)], "tesseract");
    expect(merged.pages[1]).toBe(layout.pages[1]);
    expect(merged.provider).toBe("pdf-text+tesseract");
  });
});

describe("boxes to tick on a page with a text layer", () => {
  const at = (text: string, left: number, top: number, more: object = {}) => lineAt(text, left, top, more);
  const label = at("Married", 1.2, 5);
  const layer = textPage(ENGLISH);
  const recognised = (...lines: Line[]): OcrPage =>
    ocrPage(pageOf([...textPage(ENGLISH, SURE).blocks, paragraph(...lines)]), {
      fields: [{ label: fieldSpan(0), values: [fieldSpan(1, 2)], confidence: 0.9 }],
    });
  const fieldSpan = (...words: number[]) => ({ text: "", box: label.box, words });
  const merge = (blocks: Block[], ...lines: Line[]) =>
    mergeOcr(layoutOf(pageOf([...layer.blocks, ...blocks])), [recognised(...lines)], "textract");

  it("come into its lines, and its fields have the layer's words", () => {
    const merged = merge([paragraph(label)], at("☒", 1, 5, SURE), at("Marrled", 1.21, 5.01, SURE));
    expect(texts(merged).at(-1)).toBe("☒ Married");
    const [mark, word] = pageWords(pageOne(merged)).slice(-2);
    expect(mark).toMatchObject({ source: "ocr", confidence: 0.95 });
    expect(word).toEqual(label.words[0]);
    const [first, second, third] = pageWords(pageOne(merged)).map(({ box }) => box);
    expect(pageOne(merged).fields).toEqual([{ label: [first], values: [[second, third]], confidence: 0.9 }]);
    expect(merged.provider).toBe("pdf-text+textract");
    // Once more: neither mark nor field twice.
    const again = mergeOcr(merged, [recognised(at("☒", 1, 5, SURE), at("Marrled", 1.21, 5.01, SURE))], "textract");
    expect(pageOne(again)).toEqual(pageOne(merged));
  });

  it("come into the cells of its tables", () => {
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
    const merged = merge([table], at("☐", 4, 5, SURE), at("☒", 1.05, 5, SURE));
    const found = pageOne(merged).blocks.find((block): block is TableBlock => block.kind === "table");
    expect(found?.cells.map(({ lines }) => lines.map(lineText))).toEqual([["☒ Married"], ["☐"]]);
    expect(texts(merged)).toHaveLength(2);
  });

  it("tick a frame that the layer has, and no more than once", () => {
    const frame = at("☐ Married", 1, 5);
    const ticked = merge([paragraph(frame)], at("☒", 1, 5, SURE));
    expect(texts(ticked).at(-1)).toBe("☒ Married");
    const open = merge([paragraph(frame)], at("☐", 1, 5, SURE));
    expect(texts(open).at(-1)).toBe("☐ Married");
    const told = merge([paragraph(at("✔ Married", 1, 5))], at("☒", 1, 5, SURE));
    expect(texts(told).at(-1)).toBe("✔ Married");
  });

  it("stand by themselves where the layer has nothing near", () => {
    expect(texts(merge([paragraph(label)], at("☒ Paid", 5, 8, SURE)))).toEqual([
      expect.stringContaining("We thank you"),
      "Married",
      "☒ Paid",
    ]);
  });
});

describe("a page that is recognised once more", () => {
  const read = (text: string, confidence: number, number = 1): OcrPage =>
    ocrPage(textPage(text, { confidence }, number));
  const first = mergeOcr(
    layoutOf(pageOf([], 1), pageOf([], 2)),
    [read(ENGLISH, 0.6), read(ENGLISH, 0.9, 2)],
    "tesseract",
  );

  it("becomes the better reading, and names who read what", () => {
    const better = mergeOcr(first, [read(ENGLISH, 0.98)], "textract");
    expect(pageWords(pageOne(better))[0]?.confidence).toBe(0.98);
    expect(better.provider).toBe("tesseract+textract");
    expect(mergeOcr(first, [read(shifted(ENGLISH, 8), 0.98)], "textract")).toEqual(first);
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

it("is done in time with more words in one place than any page has", () => {
  const crowd = (more: object) =>
    pageOf([paragraph(...Array.from({ length: 20_000 }, () => lineAt("order", 1, 1, more)))]);
  const startedAt = performance.now();
  mergeOcr(layoutOf(crowd({})), [ocrPage(crowd(SURE))], "tesseract");
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
