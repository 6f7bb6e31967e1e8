import { describe, expect, it } from "vitest";
import { BODY, COLUMNS, HEAD, tablesIn } from "../../../../support/aligned-rows.ts";
import { band, cellTexts, level, rowsAt } from "../../../../support/table-lines.ts";

describe("an aligned table between rules or on bands", () => {
  it("may be two columns only, with rules between the rows", () => {
    const rows = [
      ["Net", "100.00"],
      ["Tax", "19.00"],
      ["Shipping", "0.00"],
      ["Gross", "119.00"],
    ];
    const lines = rowsAt(rows, [50, [300, "right"]], 100, { pitch: 20 });
    expect(tablesIn(lines)).toEqual([]);
    const [table] = tablesIn(lines, { horizontal: [105, 125, 145, 165].map((y) => level(y, 50, 300)) });
    expect(cellTexts(table)).toEqual(rows);
  });

  it("has its rows between the rules, however many lines they have", () => {
    const lines = [
      ...rowsAt([["Part", "Use", "No."]], [50, 200, 380], 100, { bold: true }),
      ...rowsAt(
        [
          ["Screw", "holds", "12"],
          ["M4", "metal", ""],
        ],
        [50, 200, 380],
        118,
        { pitch: 12 },
      ),
      ...rowsAt(
        [
          ["Nail", "holds", "7"],
          ["long", "wood", ""],
          ["steel", "", ""],
        ],
        [50, 200, 380],
        148,
        { pitch: 12 },
      ),
      ...rowsAt([["Glue", "holds all", "1"]], [50, 200, 380], 190),
    ];
    const [table] = tablesIn(lines, { horizontal: [104, 134, 176, 194].map((y) => level(y, 50, 400)) });
    expect(cellTexts(table).slice(1)).toEqual([
      ["Screw / M4", "holds / metal", "12"],
      ["Nail / long / steel", "holds / wood", "7"],
      ["Glue", "holds all", "1"],
    ]);
  });

  it("has its rows on bands, each behind one or every other", () => {
    const lines = [
      ...rowsAt([["Part", "Use", "No."]], [50, 200, 380], 100, { bold: true }),
      ...rowsAt(
        [
          ["Screw", "holds", "12"],
          ["", "metal", ""],
        ],
        [50, 200, 380],
        118,
        { pitch: 12 },
      ),
      ...rowsAt(
        [
          ["Nail", "holds", "7"],
          ["", "wood", ""],
        ],
        [50, 200, 380],
        142,
        { pitch: 12 },
      ),
      ...rowsAt(
        [
          ["Glue", "holds", "1"],
          ["", "paper", ""],
        ],
        [50, 200, 380],
        166,
        { pitch: 12 },
      ),
    ];
    const expected = [
      ["Screw", "holds / metal", "12"],
      ["Nail", "holds / wood", "7"],
      ["Glue", "holds / paper", "1"],
    ];
    expect(cellTexts(tablesIn(lines, { fills: [band(40, 132, 420, 156)] })[0]).slice(1)).toEqual(expected);
  });

  it("may hold words only: below a header on a band, with rules around, or in many rows below a bold one", () => {
    const rows = [
      ["Ada", "London", "writes"],
      ["Grace", "New York", "sails"],
      ["Emmy", "Erlangen", "proves"],
    ];
    const lines = [...rowsAt([["Name", "Town", "Does"]], [50, 200, 350], 100), ...rowsAt(rows, [50, 200, 350], 116)];
    expect(tablesIn(lines)).toEqual([]);
    expect(tablesIn(lines, { fills: [band(45, 90, 420, 104)] })[0]).toMatchObject({ rows: 4, headerRows: 1 });
    const around = [level(88, 50, 420), level(104, 50, 420), level(153, 50, 420)];
    expect(tablesIn(lines, { horizontal: around })[0]).toMatchObject({ rows: 4, headerRows: 1 });
    const bold = [
      ...rowsAt([["Name", "Town", "Does"]], [50, 200, 350], 100, { bold: true }),
      ...rowsAt([...rows, ...rows], [50, 200, 350], 116),
    ];
    expect(tablesIn(bold)[0]).toMatchObject({ rows: 7, headerRows: 1 });
  });

  it("may be one row below its header's rule", () => {
    const lines = [...rowsAt([HEAD], COLUMNS, 100), ...rowsAt(BODY.slice(0, 1), COLUMNS, 118)];
    expect(tablesIn(lines)).toEqual([]);
    expect(cellTexts(tablesIn(lines, { horizontal: [level(105, 50, 500)] })[0])).toEqual([HEAD, BODY[0]]);
  });

  it("may hold sentences where its rows are on bands below a header on another", () => {
    const places = ["North", "South", "East", "West"];
    const texts = ["In front of the old mill at the bridge", "Behind the new church beside the road to the"];
    const rows = places.map((place, row) => [place, texts[row % 2] ?? "", "good"]);
    const lines = [
      ...rowsAt([["Place", "Where", "State"]], [50, 120, 400], 100),
      ...rowsAt(rows, [50, 120, 400], 130, { pitch: 30 }),
      ...rowsAt(
        rows.map((_, row) => ["", row % 2 === 0 ? "" : "harbour", ""]),
        [50, 120, 400],
        141,
        { pitch: 30 },
      ),
    ];
    const shades = [0.3, 0.95, 0.85, 0.95, 0.85];
    const fills = shades.map((shade, row) => band(40, 88 + 30 * row, 450, 118 + 30 * row, shade));
    const [table, ...others] = tablesIn(lines, { fills });
    expect(others).toEqual([]);
    expect(table).toMatchObject({ rows: 5, columns: 3, headerRows: 1 });
    expect(cellTexts(table)[2]).toEqual(["South", `${texts[1] ?? ""} / harbour`, "good"]);
  });
});
