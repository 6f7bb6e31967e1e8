/** Tables of recognised text: spaces read too wide, values read as one line, strokes of letters read as rules. */
import { describe, expect, it } from "vitest";
import { unionBox } from "../../../../../functions/engine/layout/geometry.ts";
import { findTables } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import { tablesIn } from "../../../../support/aligned-rows.ts";
import { at, cellTexts, grid, rowsAt, upright } from "../../../../support/table-lines.ts";

const COLUMNS = [50, [260, "right"], [340, "right"], [420, "right"], [500, "right"]] as const;
const row = (name: string, base: number) => [name, `${base}.5`, `${base + 1}.5`, `${base + 2}.5`, `${base + 3}.5`];
const ROWS = ["East", "Central", "Bay", "North", "White", "Poplar", "Fork", "Ferry"].map((name, index) =>
  row(name, 10 + index),
);

describe("a table of recognised text", () => {
  it("goes on over a row whose name has a wide space", () => {
    const lines = rowsAt(ROWS, COLUMNS, 100);
    const wide = [...lines, at("10", 76, 180)];
    const [table, ...others] = tablesIn(wide);
    expect(others).toEqual([]);
    expect(cellTexts(table).map(([name]) => name)).toEqual(
      ROWS.map(([name]) => (name === "Poplar" ? "Poplar 10" : name)),
    );
  });

  it("has the columns that its rows below tell, where values of the rows above were read as one line", () => {
    const glued = ROWS.slice(0, 4).flatMap((cells, index) => {
      const [name, first, second, third, fourth] = rowsAt([cells], COLUMNS, 100 + 16 * index);
      if (!name || !first || !second || !third || !fourth) return [];
      const words = [...second.words, ...third.words];
      return [name, first, { ...second, words, box: unionBox(words.map(({ box }) => box)) }, fourth];
    });
    const tables = tablesIn([...glued, ...rowsAt(ROWS.slice(4), COLUMNS, 164)]);
    expect(tables.map(cellTexts)).toEqual([ROWS]);
  });

  it("has the columns that nearly all its rows share, whatever strokes stand in its head", () => {
    const xs = [50, 150, 250, 350];
    const ys = Array.from({ length: 9 }, (_, index) => 100 + 20 * index);
    const drawing = grid(xs, ys);
    const strokes = [70, 90, 110, 130, 170, 190, 210, 230, 270, 290].map((x) => upright(x, 100, 120));
    const rows = [["Name", "Town", "Age"], ...ROWS.slice(0, 7).map((cells) => cells.slice(0, 3))];
    const lines = rowsAt(rows, [54, 154, 254], 114, { pitch: 20 });
    const { tables } = findTables(lines, { ...drawing, vertical: [...drawing.vertical, ...strokes] });
    expect(tables.map(cellTexts)).toEqual([rows]);
  });
});
