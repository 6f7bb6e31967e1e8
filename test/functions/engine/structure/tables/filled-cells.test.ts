import { describe, expect, it } from "vitest";
import { findTables } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import { at, band, cellTexts, drawn, rowsAt, upright } from "../../../../support/table-lines.ts";

const XS = [50, 150, 250, 350];
const YS = [100, 120, 140, 160];
const NAMES = [
  ["Name", "Town", "Age"],
  ["Ada", "London", "36"],
  ["Grace", "Arlington", "85"],
];
const inside = (rows: string[][], y = 114) => rowsAt(rows, [54, 154, 254], y, { pitch: 20 });
const tiles = (ys: readonly number[], gap = 0, shade = 0.8) =>
  ys
    .slice(1)
    .flatMap((bottom, row) =>
      XS.slice(1).map((right, column) => band(XS[column] ?? 0, (ys[row] ?? 0) + gap, right - gap, bottom, shade)),
    );

describe("a table of filled cells", () => {
  it("has a cell for each of its fills, also with white gaps between them", () => {
    for (const gap of [0, 2]) {
      const { tables } = findTables(inside(NAMES), drawn({ fills: tiles(YS, gap) }));
      expect(tables.map(cellTexts)).toEqual([NAMES]);
    }
  });

  it("has cells that fills make reach over rows", () => {
    const fills = tiles(YS).filter(({ box }) => box.left !== 50 || box.top === 100);
    const lines = inside([NAMES[0] ?? [], ["", "London", "36"], ["", "Arlington", "85"]]);
    const { tables } = findTables(
      [...lines, at("All", 54, 144)],
      drawn({ fills: [...fills, band(50, 120, 150, 160)] }),
    );
    expect(cellTexts(tables[0])).toEqual([NAMES[0], ["2×1: All", "London", "36"], ["Arlington", "85"]]);
  });

  it("has white rows between filled ones where lines part its columns", () => {
    const vertical = XS.map((x) => upright(x, 100, 160));
    const { tables } = findTables(
      inside(NAMES),
      drawn({ vertical, fills: [band(50, 100, 350, 120), band(50, 140, 350, 160)] }),
    );
    expect(cellTexts(tables[0])).toEqual(NAMES);
  });

  it("parts white rows between filled cells where their texts stand in the columns", () => {
    const rows = [...NAMES, ["Emmy", "Erlangen", "53"], ["Sofia", "Moscow", "41"]];
    const fills = [100, 140, 180].flatMap((top) => tiles([top, top + 20]));
    expect(cellTexts(findTables(inside(rows), drawn({ fills })).tables[0])).toEqual(rows);
  });

  it("has no rows for fills of the same shade behind the lines of a cell", () => {
    const wrapped = [
      ...inside([["Name", "Town", "Age"]]),
      ...rowsAt(
        [
          ["Ada Lovelace", "London", "36"],
          ["Countess of", "", ""],
          ["Lovelace", "", ""],
        ],
        [54, 154, 254],
        134,
        { pitch: 12 },
      ),
    ];
    const fills = [...tiles([100, 120, 160]), ...[122, 134, 146].map((top) => band(52, top, 148, top + 12))];
    expect(cellTexts(findTables(wrapped, drawn({ fills })).tables[0])).toEqual([
      NAMES[0],
      ["Ada Lovelace / Countess of / Lovelace", "London", "36"],
    ]);
  });

  it("has one cell for fills of one shade that pad each other", () => {
    const fills = tiles(YS, 1).flatMap(({ box: { left, top, right, bottom }, shade }) => [
      band(left, top, left + 5, bottom, shade),
      band(left + 5, top, right - 5, top + 4, shade),
      band(left + 5, top + 4, right - 5, bottom, shade),
      band(right - 5, top, right, bottom, shade),
    ]);
    expect(findTables(inside(NAMES), drawn({ fills })).tables.map(cellTexts)).toEqual([NAMES]);
  });

  it("leaves out a title above it that is set larger", () => {
    const lines = [at("Names", 54, 97, { size: 16 }), at("of 2025", 254, 97, { size: 16 }), ...inside(NAMES)];
    const { tables, rest } = findTables(lines, drawn({ fills: tiles(YS) }));
    expect(cellTexts(tables[0])).toEqual(NAMES);
    expect(rest).toHaveLength(2);
  });
});
