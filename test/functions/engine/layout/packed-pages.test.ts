import { describe, expect, it } from "vitest";
import { unionBox } from "../../../../functions/engine/layout/geometry.ts";
import { packPage, unpackPage } from "../../../../functions/engine/layout/packed-pages.ts";
import type { Block, Line, Page, Word } from "../../../../functions/ports/layout.ts";

const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });

const word = (text: string, left: number, more: Partial<Word> = {}): Word => ({
  text,
  box: box(left, 1.0833, left + 0.25, 1.2222),
  ...more,
});
const line = (words: Word[], more: Partial<Line> = {}): Line => ({
  box: unionBox(words.map((one) => one.box)),
  words,
  ...more,
});
const paragraph = (lines: Line[]): Block => ({
  kind: "paragraph",
  box: unionBox(lines.map((one) => one.box)),
  lines,
});
const page = (blocks: Block[], more: Partial<Page> = {}): Page => ({
  number: 7,
  width: 8.2677,
  height: 11.6929,
  unit: "inch",
  rotation: 90,
  blocks,
  ...more,
});

/** Through JSON, as in a file. */
const again = (given: Page): Page => unpackPage(JSON.parse(JSON.stringify(packPage(given))));

describe("packPage and unpackPage", () => {
  it("restore words with all their members", () => {
    const words = [
      word("Total", 1, { fontSize: 9.5 }),
      word("due", 1.4, { fontSize: 9.5, bold: true }),
      word("now", 1.9, { fontSize: 9.5, bold: true, link: "https://example.org/a b" }),
      word("42", 2.4, { source: "ocr", confidence: 0.8125 }),
      word("€", 2.9, { source: "ocr" }),
      word("then", 3.4, { fontSize: 9.5 }),
    ];
    const given = page([paragraph([line(words), line([word("semi-", 1)], { hyphenated: true })])], { angle: -1.25 });
    expect(again(given)).toEqual(given);
  });

  it("restore texts with spaces and empty texts", () => {
    const given = page([
      paragraph([
        line([word("1 000", 1), word("", 2), word("kg", 3)]),
        line([word("", 1)]),
        line([word('"\\\u2028漢', 1), word("\ud800", 2)]),
      ]),
    ]);
    expect(again(given)).toEqual(given);
  });

  it("restore boxes that are no union of their content, and lines without words", () => {
    const lines: Line[] = [{ box: box(1, 1, 2, 1.5), words: [] }, line([word("a", 1)], { box: box(0.5, 1, 3, 2) })];
    const given = page([
      { kind: "note", box: box(0, 0, 4, 5), lines },
      { kind: "figure", box: box(4, 4, 6, 6), lines: [] },
      { kind: "heading", box: box(1, 1, 2, 2), lines, level: 2 },
      { kind: "list-item", box: box(1, 1, 2, 2), lines, level: 1, marker: "•" },
    ]);
    expect(again(given)).toEqual(given);
  });

  it("restore tables with spans, and form fields by the exact boxes of their words", () => {
    const cell = { row: 0, column: 1, rowSpan: 2, columnSpan: 3, box: box(1, 1, 2, 2) };
    const cells = [
      { ...cell, lines: [line([word("a", 1)])] },
      { ...cell, row: 2, lines: [] },
    ];
    const table: Block = { kind: "table", box: box(1, 1, 5, 5), rows: 3, columns: 4, headerRows: 1, cells };
    const [name, value] = [word("Name", 1.23456789), word("Ada", 2.3456789)];
    const rounded = again(
      page([{ ...table, continued: true }, paragraph([line([name, value])])], {
        fields: [{ label: [name.box], values: [[value.box], []], confidence: 0.5 }],
      }),
    );
    expect(rounded.blocks[0]).toEqual({ ...table, continued: true });
    const [label, filled] = rounded.blocks[1]?.kind === "paragraph" ? (rounded.blocks[1].lines[0]?.words ?? []) : [];
    expect(label?.box.left).toBe(1.2346);
    expect(rounded.fields).toEqual([{ label: [label?.box], values: [[filled?.box], []], confidence: 0.5 }]);
  });

  it("round to a ten-thousandth of an inch, once", () => {
    const turned = page([paragraph([line([word("a", 1 / 3), word("b", 22 / 7)])])]);
    const once = again(turned);
    expect(again(once)).toEqual(once);
    const [first] = once.blocks[0]?.kind === "paragraph" ? once.blocks[0].lines : [];
    expect(first?.words[1]?.box.left).toBe(3.1429);
    expect(first?.box.right).toBe(first?.words[1]?.box.right);
  });

  it("need a third of the bytes of the unpacked page", () => {
    const words = Array.from({ length: 12 }, (_, at) => word(`word${at}`, 1 + at * 0.4123, { fontSize: 10 }));
    const given = page([paragraph(Array.from({ length: 40 }, () => line(words)))]);
    expect(JSON.stringify(packPage(given)).length * 3).toBeLessThan(JSON.stringify(given).length);
  });
});
