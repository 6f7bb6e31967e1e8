import { describe, expect, it } from "vitest";
import { findTables } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import { cellTexts, drawn, grid, rowsAt, upright } from "../../../../support/table-lines.ts";

const LABELS = ["Costs", "Material", "Parts", "Papers", "Total"];
const VALUES = [
  ["Pieces", "Price", "Sum"],
  ["", "30.00", "0.00"],
  ["2", "40.00", "80.00"],
  ["", "10.00", "0.00"],
  ["2", "", "80.00"],
];
const TABLE = grid([250, 300, 350, 400], [100, 120, 140, 160, 180, 200]);
const inside = rowsAt(VALUES, [254, 304, 354], 114, { pitch: 20 });
const beside = (labels: readonly string[]) =>
  rowsAt(
    labels.map((label) => [label]),
    [50],
    114,
    { pitch: 20 },
  );

describe("labels left of a grid of values", () => {
  it("are its first column", () => {
    const { tables, rest } = findTables([...beside(LABELS), ...inside], TABLE);
    expect(tables.map(cellTexts)).toEqual([VALUES.map((row, at) => [LABELS[at], ...row])]);
    expect(rest).toEqual([]);
  });

  it("are none where a row has no label", () => {
    const { tables } = findTables([...beside(["Costs", "Material", "", "Papers", "Total"]), ...inside], TABLE);
    expect(cellTexts(tables[0])).toEqual(VALUES);
  });

  it("are another box's where a line parts them from the grid", () => {
    const parted = drawn({ horizontal: [...TABLE.horizontal], vertical: [...TABLE.vertical, upright(150, 90, 210)] });
    const { tables } = findTables([...beside(LABELS), ...inside], parted);
    expect(cellTexts(tables[0])).toEqual(VALUES);
  });

  it("are none beside a grid that has labels", () => {
    const named = VALUES.map((row, at) => [LABELS[at] ?? "", ...row.slice(1)]);
    const lines = rowsAt(named, [254, 304, 354], 114, { pitch: 20 });
    const { tables } = findTables([...beside(LABELS), ...lines], TABLE);
    expect(cellTexts(tables[0])).toEqual(named);
  });
});
