import { describe, expect, it } from "vitest";
import { findTables } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import { innerColumns } from "../../../../../functions/engine/structure/tables/inner-columns.ts";
import { NO_DRAWING } from "../../../../../functions/engine/structure/tables/table-parts.ts";
import { at, cellTexts, grid } from "../../../../support/table-lines.ts";

/** Rows of words of one column, each at its own height. */
const wordsOf = (rows: readonly string[]) => rows.map((text, row) => at(text, 100, 20 * row).words);
const countColumns = (rows: readonly string[]) => innerColumns(wordsOf(rows), 10).length;

describe("columns that a space parts", () => {
  it("are figures that keep their place over many rows", () => {
    expect(
      countColumns(["5.49 6.58 7.12", "5.50 6.59 7.13", "5.52 6.50 7.15", "5.53 6.51 7.16", "5.54 6.52 7.17"]),
    ).toBe(3);
  });

  it.each([
    ["the thousands of a number", ["12 500", "13 250", "99 120", "45 990", "12 110", "34 567"]],
    ["ranges", ["1.35 - 1.42", "1.38 - 1.48", "1.48 - 1.55", "1.49 - 1.51", "1.36 - 1.43", "1.27 - 1.35"]],
    ["steps", ["$0 - 9,999", "$10,000 - 19,999", "$20,000 - 29,999", "$30,000 - 39,999", "$40,000 - 49,999"]],
    ["dates", ["12 May 2017", "14 May 2017", "15 Jun 2017", "17 Jun 2017", "21 Jul 2017", "22 Jul 2017"]],
    ["ranks in brackets", ["3420 (1)", "3050 (5)", "2580 (2)", "2910 (8)", "3230 (4)", "2860 (3)"]],
    ["words", ["red car", "big bus", "old van", "new bin", "wet dog", "dry cat"]],
    ["few rows", ["5.49 6.58", "5.50 6.59", "5.52 6.50"]],
  ])("are not %s", (_, rows) => {
    expect(countColumns(rows)).toBe(0);
  });
});

const TIMES = ["5.49 6.58", "5.50 6.59", "5.52 7.01", "5.53 7.02", "5.54 7.03", "5.55 7.04"];
const STOPS = ["Mill", "Bridge", "Church", "School", "Station", "Market"];
const lines = STOPS.flatMap((stop, row) => [
  at(stop, 50, 114 + 20 * row),
  at(TIMES[row] ?? "", 154, 114 + 20 * row),
  at("x", 254, 114 + 20 * row),
]);
const TEXTS = STOPS.map((stop, row) => [stop, ...(TIMES[row] ?? "").split(" "), "x"]);

describe("tables with such columns", () => {
  it("are parted without lines, and between lines that part no rows", () => {
    expect(cellTexts(findTables(lines, grid([46, 150, 250, 300], [100, 220])).tables[0])).toEqual(TEXTS);
    const open = findTables(lines, NO_DRAWING).tables[0];
    expect(open?.columns).toBe(4);
    expect(cellTexts(open)).toEqual(TEXTS);
  });

  it("are one column where lines part all rows and columns", () => {
    const ys = [100, 120, 140, 160, 180, 200, 220];
    expect(findTables(lines, grid([46, 150, 250, 300], ys)).tables[0]).toMatchObject({ rows: 6, columns: 3 });
  });
});
