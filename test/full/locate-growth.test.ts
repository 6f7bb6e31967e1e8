/** The cost of locating a result, as documents and results grow. */
import { expect, it } from "vitest";
import { judgeResult } from "../../functions/engine/confidence/judge-result.ts";
import { locateValues } from "../../functions/engine/grounding/locate-values.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import { PageMaker } from "../functions/engine/extraction/page.ts";
import { leastCpu } from "../support/cpu.ts";

const ROWS_PER_PAGE = 45;
const WORDS = "amount tax total line form box credit income rate page single married filing jointly".split(" ");

/** Pages of a tax table with repeated numbers, and the values read from them without a schema. */
function taxTable(pages: number): { layout: Layout; result: Json } {
  const page = new PageMaker();
  const tables: Json[] = [];
  const named: [string, Json][] = [];
  for (let at = 0; at < pages; at += 1) {
    if (at > 0) page.newPage();
    const rows = Array.from({ length: ROWS_PER_PAGE }, (_, row) => {
      const from = ((at * ROWS_PER_PAGE + row) % 500) * 50;
      const word = (step: number): string => WORDS[(at + row * step) % WORDS.length] ?? "";
      return [`${from}`, `${from + 50}`, `${Math.floor(from * 0.12) + 7}`, word(3), `${word(5)} ${word(7)}`];
    });
    for (const [row, cells] of rows.entries())
      for (const [column, text] of cells.entries()) page.text(0.7 + column * 1.4, 0.8 + row * 0.2, text);
    page.text(0.7, 10, "Filing status:").text(3, 10, "married");
    tables.push({ page: at + 1, rows });
    named.push([`Filing status (${at})`, "married"]);
  }
  return { layout: page.layout(), result: { language: "en", key_values: Object.fromEntries(named), tables } };
}

const costOf = (pages: number): number => {
  const { layout, result } = taxTable(pages);
  return leastCpu(3, 0, () => {
    const { sources, facts } = locateValues(layout, result, { granularity: "word" });
    expect(facts.found).toBeGreaterThan(pages * ROWS_PER_PAGE * 5 * 0.95);
    judgeResult({ layout, result, sources });
  });
};

it("locating and judging four times the pages and values takes about four times as long", () => {
  costOf(5);
  const small = costOf(15);
  expect(costOf(60)).toBeLessThan(6 * small);
});
