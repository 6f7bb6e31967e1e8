import { describe, expect, it } from "vitest";
import { findTables } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import { at, cellTexts, drawn, grid, level, rowsAt, upright } from "../../../../support/table-lines.ts";

const XS = [50, 150, 200, 250, 300, 350];
const YS = [100, 120, 140, 160];
const ROWS = [
  ["Goods", "t", "EUR", "t", "EUR"],
  ["Cod", "12", "340", "14", "410"],
  ["Herring", "55", "120", "61", "133"],
];
const inside = rowsAt(ROWS, [54, 154, 204, 254, 304], 114, { pitch: 20 });
/** Lines of the table without its upper left corner. */
const open = drawn({
  horizontal: [level(100, 150, 350), level(120, 50, 350), level(140, 50, 350), level(160, 50, 350)],
  vertical: [upright(50, 120, 160), ...XS.slice(1).map((x) => upright(x, 100, 160))],
});

describe("headings that stand on a grid", () => {
  it("are its first row, each over as many columns as the others", () => {
    const { tables, rest } = findTables([at("2021", 205, 98), at("2022", 290, 98), ...inside], grid(XS, YS));
    expect(cellTexts(tables[0])).toEqual([["", "1×2: 2021", "1×2: 2022"], ...ROWS]);
    expect(tables[0]?.cells.slice(1, 3)).toMatchObject([
      { row: 0, column: 1, columnSpan: 2 },
      { row: 0, column: 3, columnSpan: 2 },
    ]);
    expect(tables[0]?.rows).toBe(4);
    expect(rest).toEqual([]);
  });

  it("leave the corner that is drawn open to its text", () => {
    const { tables, rest } = findTables([at("2021", 175, 98), at("2022", 275, 98), ...inside], open);
    expect(cellTexts(tables[0])?.slice(1)).toEqual(ROWS);
    expect(rest).toEqual([]);
  });

  it("are not the text of a box above", () => {
    const above = [at("2021", 205, 98), at("2022", 290, 98)];
    const box = grid(XS, YS);
    const { tables, rest } = findTables([...above, ...inside], {
      ...box,
      horizontal: [...box.horizontal, level(84, 50, 350)],
    });
    expect(cellTexts(tables[0])).toEqual(ROWS);
    expect(rest).toEqual(above);
  });

  it("are no title, no label with its value, and nothing further off", () => {
    for (const above of [
      [at("Landings of fish 2021 and 2022", 120, 98)],
      [at("Port:", 160, 98), at("Hull", 260, 98)],
      [at("2021", 175, 84), at("2022", 275, 84)],
    ]) {
      const { tables, rest } = findTables([...above, ...inside], grid(XS, YS));
      expect(cellTexts(tables[0])).toEqual(ROWS);
      expect(rest).toEqual(above);
    }
  });
});
