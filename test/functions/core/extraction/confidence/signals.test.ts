import { describe, expect, it } from "vitest";
import type { Layout } from "../../../../../functions/core/documents/layout.ts";
import { weigh } from "../../../../../functions/core/extraction/confidence/judge.ts";
import { locateValues } from "../../../../../functions/core/extraction/match/locate.ts";
import type { Json } from "../../../../../functions/core/ports.ts";
import { PageMaker } from "../page.ts";

function signalsOf(layout: Layout, result: Json, pointer: string) {
  const { sources } = locateValues(layout, result, { granularity: "word" });
  const verdict = weigh({ layout, result, sources }).verdicts.find(({ leaf }) => leaf.pointer === pointer);
  if (verdict === undefined) throw new Error(`${pointer} was not judged`);
  return verdict.signals;
}

describe("evidence", () => {
  it("against an identifier is another one of its kind, of which check digits say nothing", () => {
    const one = ["Seller: Harrow & Pike", "VAT id: DE136695976"];
    const two = [...one, "Buyer: Blue Kiln", "VAT id: FR40303265045"];
    const result = { seller: { vatId: "DE136695976" } };
    const pages = [one, two].map((lines) => new PageMaker().lines(1, 1, lines).layout());
    const [alone, among] = pages.map((layout) => signalsOf(layout, result, "/seller/vatId"));
    expect(alone).toMatchObject({ contested: 0, checksumHolds: 1 });
    expect(among).toMatchObject({ contested: 0.5, checksumHolds: 0.5 });
  });

  it("against a text is that it goes on over rows", () => {
    const layout = new PageMaker().lines(1, 1, ["Copper pipe", "of the best kind"]).layout();
    expect(signalsOf(layout, { note: "Copper pipe" }, "/note").rows).toBe(0);
    expect(signalsOf(layout, { note: "Copper pipe of the best kind" }, "/note").rows).toBe(0.5);
  });

  it("against a cell is another of its row that has the same words", () => {
    const page = new PageMaker();
    for (const [at, [text = "", quantity = "", price = ""]] of [
      ["Oak board", "2", "30.00"],
      ["Desk lamp", "5", "12.50"],
    ].entries())
      page
        .text(1, 1 + at * 0.3, text)
        .text(4, 1 + at * 0.3, quantity)
        .text(6, 1 + at * 0.3, price);
    const lines = [
      { description: "Oak board", quantity: 2, unit_price: 2 },
      { description: "Desk lamp", quantity: 5, unit_price: 12.5 },
    ];
    expect(signalsOf(page.layout(), { lines }, "/lines/0/unit_price").shared).toBe(1);
    expect(signalsOf(page.layout(), { lines }, "/lines/1/unit_price").shared).toBe(0);
  });
});
