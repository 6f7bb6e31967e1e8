import { describe, expect, it } from "vitest";
import { findTables } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import { at, cellTexts, drawn, grid, level, rowsAt, upright } from "../../../../support/table-lines.ts";

const COLUMNS = [54, 154, 254, 354];
const head = [
  at("Number", 54, 118),
  at("Name", 154, 118),
  at("Dates", 290, 114),
  at("From", 254, 134),
  at("To", 354, 134),
];
const frame = drawn({
  horizontal: [
    level(100, 50, 450),
    level(120, 250, 450),
    level(140, 50, 450),
    level(143, 50, 450),
    level(400, 50, 450),
  ],
  vertical: [
    ...[50, 150, 250, 450].map((x) => upright(x, 100, 140)),
    upright(350, 120, 140),
    ...[50, 450].map((x) => upright(x, 143, 400)),
  ],
});
const BODY = [
  ["A1", "Ada", "03/04/2019", "03/06/2019"],
  ["A2", "Grace", "03/10/2019", "05/15/2019"],
  ["A3", "Mary", "03/01/2019", "03/02/2019"],
  ["A4", "Joan", "03/21/2019", "03/24/2019"],
];

describe("a head in a frame of its own", () => {
  it("is the head of the table beneath it", () => {
    const { tables, rest } = findTables([...head, ...rowsAt(BODY, COLUMNS, 160)], frame);
    expect(tables).toHaveLength(1);
    expect(tables[0]).toMatchObject({ rows: 6, columns: 4, headerRows: 2 });
    expect(cellTexts(tables[0]).slice(2)).toEqual(BODY);
    expect(rest).toEqual([]);
  });

  it("has empty cells beneath headings without text", () => {
    const body = BODY.map(([number, , from, to]) => [number ?? "", "", from ?? "", to ?? ""]);
    const { tables } = findTables([...head, ...rowsAt(body, COLUMNS, 160)], frame);
    expect(tables).toHaveLength(1);
    expect(cellTexts(tables[0]).slice(2)).toEqual(body);
  });

  it("is none of a table that stands further down", () => {
    const { tables } = findTables([...head, ...rowsAt(BODY, COLUMNS, 240)], frame);
    expect(tables).toHaveLength(2);
  });
});

describe("two rows between the same lines", () => {
  it("are parted where each fills all columns, a label and values", () => {
    const rows = [
      ["Year", "Seats", "Share"],
      ["2013", "771", "10.5"],
      ["2014", "779", "10.9"],
      ["2015", "653", "17.5"],
    ];
    const lines = [
      ...rowsAt(rows.slice(0, 1), COLUMNS, 114),
      ...rowsAt(rows.slice(1, 3), COLUMNS, 133),
      ...rowsAt(rows.slice(3), COLUMNS, 172),
    ];
    const { tables } = findTables(lines, grid([50, 150, 250, 350], [100, 120, 158, 178]));
    expect(cellTexts(tables[0])).toEqual(rows);
  });
});
