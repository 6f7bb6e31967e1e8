import { describe, expect, it } from "vitest";
import { LogicalPages } from "../../../../../functions/engine/layout/logical/logical-pages.ts";
import type { GridCell } from "../../../../../functions/engine/layout/logical/logical-tables.ts";
import { lineText } from "../../../../../functions/engine/layout/page-words.ts";
import type { Layout, TableBlock } from "../../../../../functions/ports/layout.ts";
import { pageWords } from "../../../../support/layout.ts";

const newPages = (pageRange?: number[]): LogicalPages =>
  new LogicalPages({ provider: "test", columns: 85, ...(pageRange === undefined ? {} : { pageRange }) });
const cell = (column: number, text: string, more: Partial<GridCell> = {}): GridCell => ({
  column,
  span: 1,
  runs: [{ text }],
  ...more,
});
const tablesOf = (layout: Layout): TableBlock[] =>
  layout.pages.flatMap((page) => page.blocks.flatMap((block) => (block.kind === "table" ? [block] : [])));

describe("LogicalPages.block", () => {
  it("keeps kind, level and marker, with the marker among the words", () => {
    const pages = newPages();
    pages.block([{ text: "Title" }], { kind: "heading", level: 2 });
    pages.block([{ text: "item" }], { kind: "list-item", level: 1, marker: "•", indent: 3 });
    const [heading, item] = pages.finish().pages[0]?.blocks ?? [];
    expect(heading).toMatchObject({ kind: "heading", level: 2 });
    expect(item).toMatchObject({ kind: "list-item", marker: "•", box: { left: 0.3 } });
    expect(item?.kind === "list-item" && item.lines.map(lineText)).toEqual(["• item"]);
  });

  it("gives words the link and weight of the run they begin in", () => {
    const pages = newPages();
    pages.block([{ text: "pl" }, { text: "ain", bold: true }, { text: " link", link: "https://a.example" }]);
    expect(pageWords(pages.finish().pages[0]).map(({ text, bold, link }) => [text, bold, link])).toEqual([
      ["plain", undefined, undefined],
      ["link", undefined, "https://a.example"],
    ]);
  });

  it("counts pages outside the range without keeping them", () => {
    const pages = newPages([2]);
    for (const text of ["one", "two", "three"]) {
      pages.block([{ text }]);
      pages.table([[cell(0, text), cell(1, "x")]]);
      pages.figure({ width: 1, height: 1 }, []);
      pages.breakPage();
    }
    const layout = pages.finish();
    expect([layout.pageCount, layout.pages.map((page) => page.number), layout.pages[0]?.blocks.length]).toEqual([
      3,
      [2],
      3,
    ]);
  });
});

describe("LogicalPages.table", () => {
  it("gives cells of a row the same height and cells of a column the same edges", () => {
    const pages = newPages();
    pages.table([
      [cell(0, "short"), cell(1, "word ".repeat(20))],
      [cell(0, "longer than short"), cell(1, "x")],
    ]);
    const [table] = tablesOf(pages.finish());
    const boxes = table?.cells.map(({ box }) => box) ?? [];
    expect(boxes[0]?.bottom).toBe(boxes[1]?.bottom);
    expect(boxes[0]?.right).toBe(boxes[2]?.right);
    expect(boxes[1]?.left).toBe(boxes[3]?.left);
    expect(boxes[2]?.top).toBe(boxes[0]?.bottom);
  });

  it("makes the last row of a spanning cell higher where needed", () => {
    const pages = newPages();
    pages.table([[cell(0, "a\nb\nc\nd", { rowSpan: 2 }), cell(1, "x")], [cell(1, "y")], [cell(0, "z"), cell(1, "z")]]);
    const [table] = tablesOf(pages.finish());
    expect(
      table?.cells.map(({ row, column, rowSpan, box }) => [
        row,
        column,
        rowSpan,
        Math.round(6 * (box.bottom - box.top)),
      ]),
    ).toEqual([
      [0, 0, 2, 4],
      [0, 1, 1, 1],
      [1, 1, 1, 3],
      [2, 0, 1, 1],
      [2, 1, 1, 1],
    ]);
  });

  it("continues a row higher than a page on the next pages without losing a line", () => {
    const pages = newPages();
    pages.line([{ text: "above" }]);
    const lines = Array.from({ length: 150 }, (_, index) => `line${index}`);
    pages.table([[cell(0, lines.join("\n")), cell(1, "beside")]], { headerRows: 1 });
    const tables = tablesOf(pages.finish());
    expect(tables.flatMap((table) => table.cells[0]?.lines.map(lineText) ?? [])).toEqual(lines);
    expect(tables.map((table) => [table.rows, table.headerRows, table.continued ?? false])).toEqual([
      [1, 1, false],
      [1, 0, true],
      [1, 0, true],
    ]);
    for (const table of tables)
      for (const { box, lines: own } of table.cells) {
        for (const line of own) expect([line.box.top >= box.top, line.box.bottom <= box.bottom]).toEqual([true, true]);
      }
  });

  it("makes a row with a page break the first row of its block", () => {
    const pages = newPages();
    pages.table([[cell(0, "a")], [cell(0, "b")], [cell(0, "c")]], { headerRows: 2, breakBefore: new Set([0, 2]) });
    expect(tablesOf(pages.finish()).map((table) => [table.rows, table.headerRows])).toEqual([
      [2, 2],
      [1, 0],
    ]);
  });
});

it("LogicalPages.figure reserves the picture's room and places its text inside", () => {
  const pages = newPages();
  pages.figure({ width: 2, height: 1 }, [{ text: "A red chair in a room" }]);
  pages.block([{ text: "below" }]);
  const [figure, below] = pages.finish().pages[0]?.blocks ?? [];
  expect(figure).toMatchObject({ kind: "figure", box: { left: 0, top: 0, right: 2, bottom: 1 } });
  expect(figure?.kind === "figure" && figure.lines.map(lineText)).toEqual(["A red chair in a", "room"]);
  expect(below?.box.top).toBe(1);
});
