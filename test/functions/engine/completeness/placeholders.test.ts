/** Rows that print placeholders, and items that hold nothing else: neither replaces a missing row. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../functions/ports/json.ts";
import { linesOf, pagesOf, printed, receiptsOf } from "./tables.ts";

const MARKS = ["N/A", "-", "unbekannt"];

/** A table of thirty rows, one in `every` of which prints a mark in all columns but its key's; and all of its lines. */
function marked(mark: string, every: number) {
  const lines = linesOf(30);
  const isMarked = (at: number): boolean => at % every === 1;
  const rows = lines.map((line, at) => (isMarked(at) ? [line.sku, mark, mark, mark] : printed(line)));
  const whole = lines.map((line, at): Json => (isMarked(at) ? { sku: line.sku, name: mark } : line));
  const without = (item: Json): Json => whole.map((line, at) => (isMarked(at) ? item : line));
  return {
    layout: pagesOf(rows.slice(0, 15), rows.slice(15)),
    whole,
    without,
    count: rows.filter((_, at) => isMarked(at)).length,
  };
}

describe.each(MARKS)("reconcile, with rows that print %j", (mark) => {
  it.each([3, 10])("counts rows of placeholders as rows of the list, one in %d", (every) => {
    const { layout, whole, without, count } = marked(mark, every);
    expect(receiptsOf(layout, { lines: whole })[0]).toMatchObject({ returned: 30, missing: [] });
    const lost = (without(null) as Json[]).filter((line) => line !== null);
    const [receipt] = receiptsOf(layout, { lines: lost });
    expect(receipt?.returned).toBe(30 - count);
    expect(receipt?.missing).toHaveLength(count);
  });

  it.each<[string, Json]>([
    ["alone", { name: mark }],
    ["in two places", { sku: mark, name: mark }],
    ["in all places", { sku: mark, name: mark, quantity: mark, amount: mark }],
  ])("matches no row with an item of placeholders %s", (_, item) => {
    for (const every of [3, 10]) {
      const { layout, without, count } = marked(mark, every);
      const [receipt] = receiptsOf(layout, { lines: without(item) });
      expect(receipt?.returned).toBe(30 - count);
      expect(receipt?.missing).toHaveLength(count);
    }
  });
});

it("reconcile reports rows of words and placeholders as missing where no item has them", () => {
  const words = ["simple", "form", "deepObject", "pipeDelimited", "matrix", "label", "spaceDelimited"];
  const rows = words.map((word, at) => [
    word,
    at % 2 === 0 ? "none" : "true",
    `${word} of all`,
    at % 3 === 0 ? "none" : "no",
  ]);
  const properties = Object.fromEntries(
    ["sku", "name", "quantity", "amount"].map((name) => [name, { type: "string" }]),
  );
  const schema: Json = {
    type: "object",
    properties: { lines: { type: "array", items: { type: "object", properties } } },
  };
  const lines = rows.map(([sku = "", name = "", quantity = "", amount = ""]) => ({ sku, name, quantity, amount }));
  const layout = pagesOf(rows);
  expect(receiptsOf(layout, { lines }, { schema })[0]).toMatchObject({ returned: 7, missing: [] });
  for (const at of lines.keys()) {
    const [receipt] = receiptsOf(layout, { lines: lines.filter((_, other) => other !== at) }, { schema });
    expect(receipt?.missing.map(({ text }) => text)).toEqual([rows[at]?.join(" | ")]);
  }
});
