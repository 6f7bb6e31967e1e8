import { describe, expect, it } from "vitest";
import { lineText } from "../../../../../functions/engine/layout/page-words.ts";
import { joinTables } from "../../../../../functions/engine/structure/tables/continued-tables.ts";
import { tableBlocks } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import { arrangeAround } from "../../../../../functions/engine/structure/tables/table-order.ts";
import type { Block, Line, Page, TableBlock } from "../../../../../functions/ports/layout.ts";
import { lineAt, pageOf, paragraph } from "../../../../support/pages.ts";
import { at, drawn, level, upright } from "../../../../support/table-lines.ts";

/** Rows of recognised words, an inch and a half from column to column. */
const recognised = (rows: string[][], top = 1): Line[] =>
  rows.flatMap((row, index) =>
    row.flatMap((text, column) =>
      text === "" ? [] : [lineAt(text, 1 + 1.5 * column, top + 0.25 * index, { confidence: 0.9, source: "ocr" })],
    ),
  );
const ROWS = [
  ["Item", "Count", "Price"],
  ["Nails", "20", "9.90"],
  ["Bolts", "5", "1.50"],
  ["Nuts", "12", "0.75"],
];
const texts = (table: TableBlock | undefined): string[] =>
  table?.cells.map((cell) => cell.lines.map(lineText).join(" / ")) ?? [];
const tableIn = (rows: string[][], top = 1): TableBlock => {
  const [table] = tableBlocks(recognised(rows, top)).tables;
  if (table === undefined) throw new Error("There is no table");
  return table;
};

describe("tables of recognised words", () => {
  it("are found without rules and sizes; words keep their properties", () => {
    const lines = [...recognised(ROWS), lineAt("Thank you for your order", 1, 4)];
    const { tables, rest } = tableBlocks(lines);
    expect(tables).toHaveLength(1);
    expect(tables[0]).toMatchObject({ kind: "table", rows: 4, columns: 3, headerRows: 1 });
    expect(texts(tables[0])).toEqual(ROWS.flat());
    expect(tables[0]?.cells[0]?.lines[0]?.words[0]).toMatchObject({ text: "Item", confidence: 0.9, source: "ocr" });
    expect(rest).toEqual(lines.slice(-1));
  });

  it("are found with rules in inches", () => {
    const rules = drawn({
      horizontal: [0.95, 1.2, 1.45].map((y) => level(y, 0.9, 4)),
      vertical: [0.9, 2.4, 4].map((x) => upright(x, 0.95, 1.45)),
    });
    const lines = recognised([
      ["Name", "Ada"],
      ["Town", "London"],
    ]);
    expect(texts(tableBlocks(lines, rules).tables[0])).toEqual(["Name", "Ada", "Town", "London"]);
    expect(tableBlocks(lines).tables).toEqual([]);
  });

  it("leave lines without words alone", () => {
    expect(tableBlocks([])).toEqual({ tables: [], rest: [] });
    expect(tableBlocks([{ box: { left: 0, top: 0, right: 1, bottom: 1 }, words: [] }])).toEqual({
      tables: [],
      rest: [],
    });
  });
});

describe("tables in reading order", () => {
  const table = {
    box: { left: 50, top: 150, right: 250, bottom: 200 },
    rows: 2,
    cells: [
      { row: 0, box: { left: 50, top: 150, right: 250, bottom: 175 } },
      { row: 1, box: { left: 50, top: 175, right: 250, bottom: 200 } },
    ],
  };
  const sentence = "words of a column that goes on and on";
  const order = (lines: Parameters<typeof arrangeAround>[0]) =>
    arrangeAround(lines, [table]).map((part) => ("table" in part ? "TABLE" : part.lines.length));

  it("stand between the text above and below", () => {
    const lines = [at("Above", 50, 120), at("Below", 50, 230), at("Further down", 50, 243)];
    expect(order(lines)).toEqual([1, "TABLE", 2]);
  });

  it("stand in their column of the page", () => {
    const left = Array.from({ length: 16 }, (_, index) => at(sentence, 50, 100 + 12 * index)).filter(
      ({ baseline }) => baseline < 145 || baseline > 212,
    );
    const right = Array.from({ length: 16 }, (_, index) => at(sentence, 300, 100 + 12 * index));
    const parts = arrangeAround([...left, ...right], [table]);
    const place = parts.findIndex((part) => "table" in part);
    const before = parts.slice(0, place).flatMap((part) => ("lines" in part ? part.lines : []));
    const after = parts.slice(place + 1).flatMap((part) => ("lines" in part ? part.lines : []));
    expect(before.every((line) => line.box.left === 50 && line.baseline < 150)).toBe(true);
    expect(after.slice(0, 6).every((line) => line.box.left === 50)).toBe(true);
    expect(before.length + after.length).toBe(left.length + right.length);
  });
});

describe("tables over pages", () => {
  const body = (count: number): string[][] =>
    Array.from({ length: count }, (_, index) => [`Item${index}`, String(index + 1), `${index}.50`]);
  const head = ROWS.slice(0, 1);
  const tablesOf = (pages: Page[]): (string | number)[][] =>
    joinTables(pages).map((page) =>
      page.blocks.flatMap((block) =>
        block.kind === "table" ? [block.headerRows, block.continued === true ? "continued" : "new"] : [],
      ),
    );
  const footLine = lineAt("Page 1", 4, 10.5);
  const foot: Block = { kind: "footer", box: footLine.box, lines: [footLine] };
  const running = paragraph(lineAt("Report of the year", 1, 0.5));

  it("continue at the top of the next page, with or without their header again", () => {
    const pages = [
      pageOf([running, paragraph(lineAt("A heading", 1, 2)), tableIn([...head, ...body(20)], 4), foot], 1),
      pageOf([running, tableIn([...head, ...body(20)], 1.5), foot], 2),
      pageOf([running, tableIn(body(12), 1.5), paragraph(lineAt("The end", 1, 9))], 3),
    ];
    expect(tablesOf(pages)).toEqual([
      [1, "new"],
      [1, "continued"],
      [0, "continued"],
    ]);
  });

  it("compare their header with that of the first page", () => {
    const pages = [
      pageOf([tableIn([...head, ...body(30)])], 1),
      pageOf([tableIn(body(30))], 2),
      pageOf([tableIn([...head, ...body(30)])], 3),
    ];
    expect(tablesOf(pages)).toEqual([
      [1, "new"],
      [0, "continued"],
      [1, "continued"],
    ]);
  });

  it("end where columns differ, text stands between, or pages are missing", () => {
    const first = pageOf([tableIn([...head, ...body(30)])], 1);
    const narrow = tableBlocks(
      recognised([...head, ...body(12)].map((row, index) => [...row, index === 0 ? "Rest" : "7"])),
    ).tables;
    expect(tablesOf([first, pageOf(narrow, 2)])).toEqual([
      [1, "new"],
      [1, "new"],
    ]);
    const after = pageOf(
      [paragraph(lineAt("Another chapter begins here", 1, 2)), tableIn([["Part", "Mass", "Cost"], ...body(12)], 3)],
      2,
    );
    expect(tablesOf([first, after])).toEqual([
      [1, "new"],
      [1, "new"],
    ]);
    expect(tablesOf([first, pageOf([tableIn([...head, ...body(12)])], 3)])).toEqual([
      [1, "new"],
      [1, "new"],
    ]);
    expect(tablesOf([pageOf([], 1), pageOf([running], 2)])).toEqual([[], []]);
  });
});
