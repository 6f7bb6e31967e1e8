import { expect, it } from "vitest";
import { findTables } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import { withoutUnderlines } from "../../../../../functions/engine/structure/tables/underlines.ts";
import { cellTexts, drawn, grid, level, rowsAt, upright } from "../../../../support/table-lines.ts";

const NO_FILL = { fillAt: () => undefined };

it("underlined headings make no row of their own", () => {
  const rows = [
    ["Blanks", "Totals", "Shares"],
    ["18", "21", "24"],
    ["724", "684", "775"],
  ];
  const lines = rowsAt(rows, [52, 88, 124], 114, { pitch: 22 });
  const table = grid([50, 86, 122, 158], [100, 122, 144, 166]);
  const underlines = [52, 88, 124].map((from) => level(116, from, from + 30));
  const drawing = drawn({ horizontal: [...table.horizontal, ...underlines], vertical: [...table.vertical] });
  const { tables } = findTables(lines, drawing);
  expect(tables).toHaveLength(1);
  expect(cellTexts(tables[0])).toEqual(rows);
});

it("a line that reaches on from its words, or lies further below, is none", () => {
  const lines = rowsAt([["Blanks"]], [52], 114, { pitch: 22 });
  const vertical = drawn({}).vertical;
  const [own, reaching, low] = [level(116, 52, 82), level(116, 50, 86), level(124, 52, 82)];
  const { horizontal } = withoutUnderlines({ ...NO_FILL, vertical, horizontal: [own, reaching, low] }, lines);
  expect(horizontal).toEqual([reaching, low]);
});

it("a line that leads from one line across it to the next bounds a row, as narrow as its words are", () => {
  const lines = rowsAt([["Blanks"]], [52], 114, { pitch: 22 });
  const given = {
    ...NO_FILL,
    vertical: [upright(51, 100, 140), upright(83, 100, 140)],
    horizontal: [level(116, 51, 83)],
  };
  expect(withoutUnderlines(given, lines).horizontal).toEqual(given.horizontal);
});
