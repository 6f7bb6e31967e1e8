import { describe, expect, it } from "vitest";
import { unionBox } from "../../../../../functions/engine/layout/geometry.ts";
import type { TableLine } from "../../../../../functions/engine/structure/tables/table-parts.ts";
import { COLUMNS, HEAD, tablesIn } from "../../../../support/aligned-rows.ts";
import { at, cellTexts, level, rowsAt } from "../../../../support/table-lines.ts";

/** The lines, their words `space` apart; `at` sets them half an em apart. */
const spaced = (lines: readonly TableLine[], space: number): TableLine[] =>
  lines.map((line) => {
    const words = line.words.map((word, index) => {
      const shift = index * (space - line.size / 2);
      return { ...word, box: { ...word.box, left: word.box.left + shift, right: word.box.right + shift } };
    });
    return { ...line, words, box: unionBox(words.map(({ box }) => box)) };
  });

/** The line with its middle at x. */
const shiftedTo = (lines: readonly TableLine[], x: number): TableLine[] =>
  lines.map((line) => {
    const shift = x - (line.box.left + line.box.right) / 2;
    const words = line.words.map((word) => ({
      ...word,
      box: { ...word.box, left: word.box.left + shift, right: word.box.right + shift },
    }));
    return { ...line, words, box: unionBox(words.map(({ box }) => box)) };
  });

describe("a column of a table without drawn cells", () => {
  it("stays whole where its words have only a usual space between them", () => {
    const rows = [
      ["15901", "1h. 29min.", "13.15"],
      ["25671", "2h. 24min.", "9.85"],
      ["15827", "1h. 46min.", "9.85"],
      ["15009", "1h. 31min.", "13.15"],
      ["15829", "1h. 56min.", "9.85"],
      ["25673", "2h. 24min.", "9.85"],
    ];
    const lines = [
      ...rowsAt([["Train", "Duration", "Price"]], [50, 200, 350], 100),
      ...rowsAt(rows, [50, 200, 350], 118),
    ];
    expect(cellTexts(tablesIn(spaced(lines, 2.8))[0])).toEqual([["Train", "Duration", "Price"], ...rows]);
  });

  it("has the signs of money that stand at its left edge", () => {
    const columns = [50, [240, "right"], 260, [340, "right"], 360, [440, "right"]] as const;
    const lines = [
      ...rowsAt([["", "Programs", "", "General", "", "Total"]], columns, 100, { bold: true }),
      ...rowsAt([["Salaries", "$ 461", "$", "73,517", "$", "28,007"]], columns, 118),
      ...rowsAt([["Rent", "35", "", "301", "", "12"]], columns, 134),
      ...rowsAt([["Travel", "18", "", "-", "", "6"]], columns, 150),
      ...rowsAt([["Total", "$ 514", "$", "73,818", "$", "28,025"]], columns, 166),
    ];
    expect(cellTexts(tablesIn(lines)[0])).toEqual([
      ["", "Programs", "General", "Total"],
      ["Salaries", "$ 461", "$ / 73,517", "$ / 28,007"],
      ["Rent", "35", "301", "12"],
      ["Travel", "18", "-", "6"],
      ["Total", "$ 514", "$ / 73,818", "$ / 28,025"],
    ]);
  });

  it("has its heading in its middle, also of headings that were read as one line", () => {
    const columns = [50, [210, "centre"], [268, "centre"], [326, "centre"], [384, "centre"]] as const;
    const rows = ["Alpha", "Beta", "Gamma", "Delta"].map((name, row) => [
      name,
      `6${row}`,
      `7${row}`,
      `9${row}`,
      `5${row}`,
    ]);
    const heads = at("GPQA-DI SciBenc PIQA-DI RubricH", 210 - 17.5, 100, { bold: true });
    const words = heads.words.map((word, index) => {
      const middle = 210 + 58 * index;
      return { ...word, box: { ...word.box, left: middle - 24.5, right: middle + 24.5 } };
    });
    const line = { ...heads, words, box: unionBox(words.map(({ box }) => box)) };
    const [table] = tablesIn([at("Method", 50, 100, { bold: true }), line, ...rowsAt(rows, columns, 118)]);
    expect(cellTexts(table)[0]).toEqual(["Method", "GPQA-DI", "SciBenc", "PIQA-DI", "RubricH"]);
  });

  it("shares a heading of two words that stands in the middle of two columns with headings of their own", () => {
    const columns = [50, [240, "centre"], [320, "centre"], [400, "centre"]] as const;
    const rows = ["Rent", "Travel", "Postage", "Printing", "Meals"].map((name, row) => [
      name,
      `461,56${row}`,
      `73,51${row}`,
      `28,00${row}`,
    ]);
    const lines = [
      at("Program", 240, 100, { align: "centre" }),
      shiftedTo(spaced([at("Support Service", 320, 100)], 2.8), 360),
      ...rowsAt([["", "Expenses", "General", "Funding"]], columns, 118),
      ...rowsAt(rows, columns, 136),
    ].flat();
    expect(cellTexts(tablesIn(lines)[0])[0]).toEqual(["", "Program", "1×2: Support Service"]);
  });
});

describe("rows of a table without drawn cells", () => {
  it("are of one line where they are set wide apart, though rules stand below some of them", () => {
    const rows = [
      ["Account", "Total"],
      ["Assets", ""],
      ["Cash", ""],
      ["Petty cash", "5,000.00"],
      ["Total for cash", "5,000.00"],
      ["Bank", ""],
      ["Savings", "42,000.00"],
      ["Total for bank", "42,000.00"],
    ];
    const ys = rows.map((_, row) => 100 + 24 * row);
    const ruled = [3, 4, 6, 7].map((row) => level((ys[row] ?? 0) + 7, 50, 400));
    const lines = rowsAt(rows, [50, [400, "right"]], 100, { pitch: 24 });
    const texts = cellTexts(tablesIn(lines, { horizontal: [level(107, 50, 400), ...ruled] })[0]);
    expect(texts).toEqual(rows);
  });

  it("have their units in the heading, in plain lines beneath bold ones", () => {
    const body = [
      ["Nails", "20", "9.90", "198.00"],
      ["Nuts", "50", "5.50", "275.00"],
      ["Bolts", "10", "0.05", "0.50"],
      ["Pins", "30", "0.10", "3.00"],
    ];
    const lines = [
      ...rowsAt([HEAD], COLUMNS, 100, { bold: true }),
      ...rowsAt([["", "pcs", "EUR", "EUR"]], COLUMNS, 112),
      ...rowsAt([["", "", "net", "gross"]], COLUMNS, 124),
      ...rowsAt(body, COLUMNS, 148),
    ];
    const [table] = tablesIn(lines);
    expect(table).toMatchObject({ rows: 5, headerRows: 1 });
    expect(cellTexts(table)[0]).toEqual(["Item", "Qty / pcs", "Price / EUR / net", "Amount / EUR / gross"]);
  });
});

describe("a list of two columns without lines", () => {
  const names = Array.from({ length: 12 }, (_, index) => `Repair of part ${index}`);

  it("is a table where its values are prices in many rows", () => {
    const rows = names.map((name, index) => [name, `${(7 * index) % 13}.50`]);
    expect(cellTexts(tablesIn(rowsAt(rows, [50, 300], 100))[0])).toEqual(rows);
  });

  it("is none where its values are the pages of contents, or number the rows", () => {
    const pages = names.map((name, index) => [name, `${3 * index + 1}`]);
    expect(tablesIn(rowsAt(pages, [50, 300], 100))).toEqual([]);
    const numbered = names.map((name, index) => [`${index + 1}.`, name]);
    expect(tablesIn(rowsAt(numbered, [50, 90], 100))).toEqual([]);
  });
});
