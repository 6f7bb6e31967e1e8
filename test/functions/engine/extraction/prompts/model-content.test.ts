import { describe, expect, it } from "vitest";
import { modelContent } from "../../../../../functions/engine/extraction/prompts/model-content.ts";
import { conventionsOf } from "../../../../../functions/engine/values/text-conventions.ts";
import { type Block, LAYOUT_VERSION, type Layout, type Line } from "../../../../../functions/ports/layout.ts";

const BOX = { left: 1, top: 1, right: 2, bottom: 1.2 };
const lineOf = (text: string, more: Partial<Line> = {}): Line => ({
  box: BOX,
  words: text.split(" ").map((word) => ({ text: word, box: BOX })),
  ...more,
});
/** Lines under one another. */
const lines = (...texts: string[]): Line[] =>
  texts.map((text, at) => {
    const box = { left: 1, top: 1 + at, right: 5, bottom: 1.15 + at };
    return { box, words: text.split(" ").map((word) => ({ text: word, box })) };
  });

function layoutOf(...pages: Block[][]): Layout {
  return {
    v: LAYOUT_VERSION,
    provider: "test",
    logicalPages: false,
    pageCount: pages.length,
    pages: pages.map((blocks, at) => ({ number: at + 1, width: 8, height: 11, unit: "inch", rotation: 0, blocks })),
  };
}

const cell = (row: number, column: number, text: string, span = 1) => ({
  row,
  column,
  rowSpan: 1,
  columnSpan: span,
  box: BOX,
  lines: text === "" ? [] : [lineOf(text)],
});

describe("modelContent", () => {
  it("keeps headings, tables and running lines, without escaping", () => {
    const layout = layoutOf([
      { kind: "header", box: BOX, lines: lines("ACME_LTD * VAT DE123456789") },
      { kind: "heading", level: 2, box: BOX, lines: lines("Invoice", "No. 47_11") },
      { kind: "paragraph", box: BOX, lines: lines("Dear Sir", "pay [soon]") },
      {
        kind: "table",
        box: BOX,
        rows: 3,
        columns: 3,
        headerRows: 1,
        cells: [
          cell(0, 0, "Item"),
          cell(0, 1, "Price", 2),
          cell(1, 0, "a|b"),
          cell(1, 1, "1.00"),
          cell(1, 2, "EUR"),
          cell(2, 2, "x"),
        ],
      },
      { kind: "list-item", level: 1, marker: "•", box: BOX, lines: lines("• first") },
      { kind: "footer", box: BOX, lines: lines("IBAN DE89") },
      { kind: "figure", box: BOX, lines: [] },
    ]);
    expect(modelContent(layout)[0]?.text).toBe(
      [
        "ACME_LTD * VAT DE123456789",
        "## Invoice No. 47_11",
        "Dear Sir\npay [soon]",
        "| Item | Price |  |\n| --- | --- | --- |\n| a\\|b | 1.00 | EUR |\n|  |  | x |",
        "• first",
        "IBAN DE89",
      ].join("\n\n"),
    );
  });

  it("joins hyphenated words", () => {
    const [first, second] = lines("the invoi-", "ce total");
    const block: Block = {
      kind: "paragraph",
      box: BOX,
      lines: [{ ...(first as Line), hyphenated: true }, second as Line],
    };
    expect(modelContent(layoutOf([block]))[0]?.text).toBe("the invoice\ntotal");
  });

  it("selects pages of a range, and marks scans", () => {
    const printed: Block = { kind: "paragraph", box: BOX, lines: lines("printed words here") };
    const read = lines("recognised words");
    for (const word of read.flatMap(({ words }) => words)) word.source = "ocr";
    const scanned: Block = { kind: "paragraph", box: BOX, lines: read };
    const layout = layoutOf([printed], [scanned], [], [printed, scanned]);
    expect(modelContent(layout, { pageRange: [2, 3, 4, 99] })).toEqual([
      { number: 2, text: "recognised words", scan: true },
      { number: 3, text: "", scan: true },
      { number: 4, text: "printed words here\n\nrecognised words", scan: false },
    ]);
  });
});

describe("conventionsOf", () => {
  it("decides notation, date order and currencies from text", () => {
    expect(
      conventionsOf(["Rechnung vom 13/02/2024", "Summe 1.234,50 €", "MwSt 19,00 und das ist der Betrag der Rechnung"]),
    ).toEqual({
      notation: "comma",
      order: "day-first",
      currencies: ["EUR"],
    });
    expect(conventionsOf(["Invoice 02/13/2024", "Total $1,234.50 and the amount is due"])).toMatchObject({
      notation: "point",
      order: "month-first",
      currencies: ["USD"],
    });
    expect(conventionsOf([])).toEqual({ notation: "point", order: "day-first", currencies: [] });
  });
});
