/** A layout's text and its lists over all pages. */
import { describe, expect, it } from "vitest";
import { LayoutLists, pageText } from "../../../../functions/engine/layout/layout-lists.ts";
import { LAYOUT_PARTS, viewPage } from "../../../../functions/engine/layout/page-view.ts";
import type { Block, Box, Line, Page } from "../../../../functions/ports/layout.ts";

const BOX: Box = { left: 1, top: 2, right: 3, bottom: 4 };
const line = (text: string): Line => ({ box: BOX, words: text.split(" ").map((word) => ({ text: word, box: BOX })) });
const block = (kind: "heading" | "paragraph" | "header" | "note", text: string): Block => ({
  kind,
  box: BOX,
  lines: [line(text)],
});
const page = (number: number, blocks: Block[]): Page => ({
  number,
  width: 8.5,
  height: 11,
  unit: "inch",
  rotation: 0,
  blocks,
});
const cell = (row: number, column: number, text: string) => ({
  row,
  column,
  rowSpan: 1,
  columnSpan: 1,
  box: BOX,
  lines: [line(text)],
});
const PAGES = [
  page(1, [
    block("header", "Running head"),
    block("paragraph", "Before all."),
    block("heading", "First"),
    block("paragraph", "One two"),
  ]),
  page(2, [
    {
      kind: "table",
      box: BOX,
      rows: 2,
      columns: 1,
      headerRows: 1,
      cells: [cell(0, 0, "Item"), cell(1, 0, "Paper roll")],
    },
    block("heading", "Second"),
    { kind: "figure", box: BOX, lines: [], caption: "Figure 1: A roll" },
    block("note", "A note."),
    { kind: "barcode", box: BOX, lines: [], format: "EAN13", value: "4006381333931", confidence: 0.99 },
  ]),
];
const CONTENT = PAGES.map(pageText).join("\n");
const OFFSETS = [0, pageText(page(1, PAGES[0]?.blocks ?? [])).length + 1];

function listsOf(parts: readonly (typeof LAYOUT_PARTS)[number][]) {
  const lists = new LayoutLists(parts);
  PAGES.forEach((one, index) => {
    lists.add(one, OFFSETS[index] ?? 0);
  });
  return lists.lists() as Record<
    string,
    { id: string; content: string; spans: { offset: number; length: number }[] }[]
  >;
}

describe("LayoutLists", () => {
  it("returns only the requested lists", () => {
    expect(listsOf(["words", "content"])).toEqual({});
    expect(new LayoutLists(["words", "content"]).hasRequestedLists).toBe(false);
    expect(Object.keys(listsOf(["tables", "sections"]))).toEqual(["tables", "sections"]);
    expect(new LayoutLists(["tables"]).hasRequestedLists).toBe(true);
  });

  it("lists paragraphs with text, spans and roles", () => {
    const { paragraphs = [] } = listsOf(LAYOUT_PARTS);
    expect(paragraphs.map(({ id, content, ...rest }) => [id, content, (rest as { role?: string }).role])).toEqual([
      ["p1/b0", "Running head", "pageHeader"],
      ["p1/b1", "Before all.", undefined],
      ["p1/b2", "First", "sectionHeading"],
      ["p1/b3", "One two", undefined],
      ["p2/b1", "Second", "sectionHeading"],
      ["p2/b3", "A note.", "footnote"],
    ]);
    for (const { content, spans } of paragraphs) {
      const [{ offset, length } = { offset: 0, length: 0 }] = spans;
      expect(CONTENT.slice(offset, offset + length)).toBe(content);
    }
    // The same spans as the words of the page's own view.
    const word = viewPage(PAGES[1] ?? page(2, []), OFFSETS[1] ?? 0, ["words"]).words[0];
    expect(CONTENT.slice(word?.span?.offset).startsWith("Item")).toBe(true);
  });

  it("lists tables with cells, figures, and sections from heading to heading", () => {
    const { tables, figures, barcodes, sections } = listsOf(LAYOUT_PARTS);
    expect(tables).toMatchObject([
      {
        id: "p2/b0",
        rowCount: 2,
        columnCount: 1,
        boundingRegions: [
          {
            pageNumber: 2,
            polygon: [
              { x: 1, y: 2 },
              { x: 3, y: 2 },
              { x: 3, y: 4 },
              { x: 1, y: 4 },
            ],
          },
        ],
        cells: [
          { rowIndex: 0, kind: "columnHeader", content: "Item" },
          { rowIndex: 1, kind: "content", content: "Paper roll" },
        ],
      },
    ]);
    expect(figures).toMatchObject([{ id: "p2/b2", boundingRegions: [{ pageNumber: 2 }] }]);
    expect(figures).toMatchObject([{ caption: { content: "Figure 1: A roll" } }]);
    expect(barcodes).toMatchObject([
      { id: "p2/b4", format: "EAN13", value: "4006381333931", confidence: 0.99, boundingRegions: [{ pageNumber: 2 }] },
    ]);
    expect(sections).toEqual([
      { id: "s/p1/b1", elements: ["p1/b1"] },
      { id: "s/p1/b2", elements: ["p1/b2", "p1/b3", "p2/b0"] },
      { id: "s/p2/b1", elements: ["p2/b1", "p2/b2", "p2/b3", "p2/b4"] },
    ]);
  });
});

it("viewPage shows form fields by their words, when requested", () => {
  const words = ["Name:", "Ada", "Lovelace"].map((text, index) => ({
    text,
    box: { left: index, top: 1, right: index + 0.9, bottom: 1.2 },
  }));
  const boxes = words.map(({ box }) => box);
  const lines: Line[] = [{ box: BOX, words }];
  const form: Page = {
    ...page(1, [{ kind: "paragraph", box: BOX, lines }]),
    fields: [{ label: boxes.slice(0, 1), values: [boxes.slice(1, 2), boxes.slice(2)], confidence: 0.9 }],
  };
  const [field] = viewPage(form, 5, ["fields"]).fields ?? [];
  expect(field).toMatchObject({
    label: { content: "Name:", spans: [{ offset: 5, length: 5 }] },
    values: [{ content: "Ada", polygon: [{ x: 1, y: 1 }, {}, { x: 1.9, y: 1.2 }, {}] }, { content: "Lovelace" }],
    confidence: 0.9,
  });
  expect(viewPage(form, 5, ["words"]).fields).toBeUndefined();
  expect(viewPage(page(1, []), 5, ["fields"]).fields).toEqual([]);
});
