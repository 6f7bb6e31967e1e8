/** The cost of counting a document's rows as it grows; no number of rows is too many. */
import { expect, it } from "vitest";
import { findPageRows } from "../../functions/engine/completeness/reconcile.ts";
import { locateValues } from "../../functions/engine/grounding/locate-values.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import { PageMaker } from "../functions/engine/extraction/page.ts";
import { leastCpu } from "../support/cpu.ts";

/** One block of lines, as in a text file without pages. */
const block = (lines: number): Layout =>
  new PageMaker()
    .lines(
      0.7,
      0.5,
      Array.from({ length: lines }, (_, at) => `${["pump", "valve of steel", "bracket with its screws"][at % 3]} 3`),
      { step: 0.2 },
    )
    .layout();

const costOf = (lines: number): number => {
  const layouts = Array.from({ length: 3 }, () => block(lines));
  return leastCpu(3, 0, () => {
    const { groups: sets } = findPageRows(layouts.pop() ?? block(lines), "point");
    expect(sets).toHaveLength(1);
  });
};

it("counting four times the lines of a block takes about four times as long", () => {
  costOf(1_000);
  const small = costOf(4_000);
  expect(costOf(16_000)).toBeLessThan(7 * small);
});

it("an item is assigned although its value is printed on 130,000 lines", () => {
  const layout = block(130_000);
  const { facts } = locateValues(layout, { pumps: [{ name: "screws", size: 3 }] }, { granularity: "word" });
  expect(facts.found).toBe(2);
  expect(findPageRows(layout, "point").groups).toHaveLength(1);
});
