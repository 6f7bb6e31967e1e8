import { describe, expect, it } from "vitest";
import { tablesIn } from "../../../../support/aligned-rows.ts";
import { at, band, cellTexts, level, rowsAt } from "../../../../support/table-lines.ts";

const COLUMNS = [50, [300, "right"], [400, "right"]] as const;
const HEAD = ["Name", "Yield", "Weight"];
const FIRST = [
  ["Max", "42.0", "31"],
  ["Patti", "54.1", "30"],
];
const SECOND = [
  ["Meltan", "49.7", "33"],
  ["Commander", "56.2", "34"],
];
const rules = (...ys: number[]) => ({ horizontal: ys.map((y) => level(y, 50, 400)) });

describe("a table between rules of one length", () => {
  it("has the head and all rows between them, whatever air and labels part these", () => {
    const lines = [
      ...rowsAt([HEAD], COLUMNS, 114),
      at("Cultivars", 50, 154),
      ...rowsAt(FIRST, COLUMNS, 168, { pitch: 14 }),
      at("Advanced lines", 50, 220),
      ...rowsAt(SECOND, COLUMNS, 234, { pitch: 14 }),
      at("The scale goes from one to eight, as the share of plants that show symptoms.", 50, 266),
    ];
    const tables = tablesIn(lines, rules(100, 122, 252));
    expect(tables.map((table) => table.headerRows)).toEqual([1]);
    expect(tables[0]?.rows).toBe(7);
    expect(cellTexts(tables[0])).toEqual([
      HEAD,
      ["Cultivars", "", ""],
      ...FIRST,
      ["Advanced lines", "", ""],
      ...SECOND,
    ]);
  });

  it("has a row between each two rules, where cells have lines above and below the others", () => {
    const lines = [...rowsAt([HEAD, ...FIRST, ...SECOND], COLUMNS, 114, { pitch: 40 })].flatMap((line) =>
      line.words[0]?.text === "Patti" || line.words[0]?.text === "Meltan"
        ? [at("Barley of", 50, line.baseline - 6), at("the north", 50, line.baseline + 6)]
        : [line],
    );
    const tables = tablesIn(lines, rules(90, 130, 170, 210, 250, 290));
    expect(tables.map(cellTexts)).toEqual([
      [HEAD, FIRST[0], ["Barley of / the north", "54.1", "30"], ["Barley of / the north", "49.7", "33"], SECOND[1]],
    ]);
  });

  it("has labels of sections as high as its rows, also of two lines", () => {
    const pitch = 30;
    const rows = [["Cultivars", "", ""], ...FIRST, ["Advanced", "", ""], ...SECOND];
    const lines = rowsAt([HEAD, ...rows], COLUMNS, 118, { pitch }).flatMap((line) =>
      line.words[0]?.text === "Advanced"
        ? [at("Lines that are", 50, line.baseline - 6), at("not yet sold", 50, line.baseline + 6)]
        : [line],
    );
    const tables = tablesIn(lines, rules(...Array.from({ length: rows.length + 2 }, (_, row) => 100 + pitch * row)));
    expect(tables.map(cellTexts)).toEqual([
      [HEAD, ...rows.map((row) => (row[0] === "Advanced" ? ["Lines that are / not yet sold", "", ""] : row))],
    ]);
  });

  it("begins with a filled head as wide as its rules, and has cells of several lines beside the middle of others", () => {
    const names = ["Basic", "Large", "Premium", "Special"];
    const lines = [
      ...rowsAt([["Name", "What is done", "Price"]], [50, 150, [400, "right"]], 114),
      ...names.flatMap((name, row) => {
        const y = 146 + 36 * row;
        return [
          at("Visits at home and", 150, y - 7),
          at(`walks, ${row} hours`, 150, y + 7),
          at(name, 50, y),
          at(`${row}90`, 400, y, { align: "right" }),
        ];
      }),
    ];
    const drawing = { ...rules(160, 196, 232, 268), fills: [band(50, 102, 400, 120, 0.4)] };
    expect(tablesIn(lines, drawing).map(cellTexts)).toEqual([
      [
        ["Name", "What is done", "Price"],
        ...names.map((name, row) => [name, `Visits at home and / walks, ${row} hours`, `${row}90`]),
      ],
    ]);
  });

  it("may have its head above the first rule, where each row has a rule below", () => {
    const rows = [
      ["Age", "25"],
      ["Race", ""],
      ["Black", "196"],
      ["White", "28"],
      ["Other", "14"],
    ];
    const lines = [
      ...rowsAt([["Characteristic", "Value"]], [50, [400, "right"]], 112),
      ...rowsAt(rows, [50, [400, "right"]], 140, { pitch: 28 }),
    ];
    const tables = tablesIn(lines, rules(...Array.from({ length: rows.length + 1 }, (_, row) => 122 + 28 * row)));
    expect(tables.map(cellTexts)).toEqual([[["Characteristic", "Value"], ...rows]]);
  });

  it("ends before running text, another table's caption, and another table", () => {
    const text = "Yields of barley depend on the weather of May more than on the name of its kind";
    const lines = [
      ...rowsAt([HEAD, ...FIRST], COLUMNS, 114, { pitch: 20 }),
      ...[190, 202, 214].map((y) => at(text.slice(0, 68), 50, y)),
      at("Table 2", 50, 240),
      ...rowsAt([HEAD, ...SECOND], COLUMNS, 268, { pitch: 20 }),
    ];
    const tables = tablesIn(lines, rules(100, 120, 162, 254, 274, 316));
    expect(tables.map(cellTexts)).toEqual([
      [HEAD, ...FIRST],
      [HEAD, ...SECOND],
    ]);
  });

  it("goes beyond rules that rows stand outside of, side by side", () => {
    for (const pitch of [20, 32]) {
      const lines = rowsAt([HEAD, ...FIRST, ...SECOND], COLUMNS, 114, { pitch });
      const between = [0.5, 1.5, 2.5, 3.5].map((row) => 111 + row * pitch);
      expect(tablesIn(lines, rules(...between)).map(cellTexts)).toEqual([[HEAD, ...FIRST, ...SECOND]]);
    }
  });
});

describe("a table with headings", () => {
  it("has one that stands alone over its values, as near as they stand to each other", () => {
    const rows = [...FIRST, ...SECOND].map((row) => row.slice(0, 2));
    const lines = [at("Total", 300, 98, { align: "right" }), ...rowsAt(rows, COLUMNS, 114)];
    const horizontal = [118, 134, 150].map((y) => level(y, 50, 300));
    expect(tablesIn(lines, { horizontal }).map(cellTexts)).toEqual([[["", "Total"], ...rows]]);
  });
});
