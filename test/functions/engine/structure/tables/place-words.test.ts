import { describe, expect, it } from "vitest";
import { findTables } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import { NO_DRAWING } from "../../../../../functions/engine/structure/tables/table-parts.ts";
import { at, cellTexts, drawn, level, rowsAt } from "../../../../support/table-lines.ts";

const COLUMNS = [50, 150, 200, 250, 300];
const ROWS = ["Mill", "Bridge", "Church", "School", "Station"].map((place, row) => [
  place,
  `${11 + row}`,
  `${120 + row}`,
  `${33 + row}`,
  `${44 + row}`,
]);
const rows = rowsAt(ROWS, COLUMNS, 150);
/** A row with three of its values in one line, as recognition may read them. */
const withOneLine = (y: number) => [
  at("Market", 50, y),
  {
    ...at("21 130", 150, y),
    words: [...at("21", 150, y).words, ...at("130", 200, y).words, ...at("43", 250, y).words],
  },
  at("54", 300, y),
];

describe("rows whose values were read as one line", () => {
  it("are cut by the columns of the others, above them and below", () => {
    const texts = ["Market", "21", "130", "43", "54"];
    const line = (y: number) =>
      withOneLine(y).map((one) => ({
        ...one,
        box: { ...one.box, right: Math.max(...one.words.map((w) => w.box.right)) },
      }));
    expect(cellTexts(findTables([...line(134), ...rows], NO_DRAWING).tables[0])).toEqual([texts, ...ROWS]);
    expect(cellTexts(findTables([...rows, ...line(230)], NO_DRAWING).tables[0])).toEqual([...ROWS, texts]);
  });
});

describe("a head between two rules", () => {
  it("has all its lines, also lone ones and dates", () => {
    const head = [
      at("Place", 50, 120),
      at("12/01/22", 138, 120),
      at("13/01/22", 190, 120),
      at("Mean", 250, 114),
      at("change", 296, 120),
      at("a week", 246, 128),
    ];
    const rules = drawn({ horizontal: [level(102, 45, 330), level(136, 45, 330)] });
    const [table] = findTables([...head, ...rows], rules).tables;
    expect(table?.headerRows).toBe(1);
    expect(cellTexts(table)).toEqual([["Place", "12/01/22", "13/01/22", "Mean / a week", "change"], ...ROWS]);
  });
});
