import { describe, expect, it } from "vitest";
import { judgeResult } from "../../../../functions/engine/confidence/judge-result.ts";
import { locateValues } from "../../../../functions/engine/grounding/locate-values.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import { PageMaker } from "../extraction/page.ts";

/** The confidence that a given answer gets. */
function confidenceOf(draw: (page: PageMaker) => void, schema: Json, result: Json): number[] {
  const page = new PageMaker();
  draw(page);
  const layout = page.layout();
  const parsed = parseSchema(schema);
  const { sources } = locateValues(layout, result, { schema: parsed, granularity: "word" });
  const judged = judgeResult({ layout, result, schema: parsed, sources });
  return Object.values(judged.sources.locations).map(({ confidence }) => confidence);
}

const text = (name: string): Json => ({ type: "object", properties: { [name]: { type: "string" } } });
const number = (...names: string[]): Json => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "number" }])),
});

describe("PrintedSuspicions", () => {
  it("caps the words of another field's label", () => {
    const draw = (page: PageMaker) => page.text(1, 1, "Seller:").text(1, 1.3, "Delivery date:");
    const [confidence = 1] = confidenceOf(draw, text("seller"), { seller: "Delivery date" });
    expect(confidence).toBeLessThanOrEqual(0.45);
  });

  it("caps a title taken for a name", () => {
    const draw = (page: PageMaker) => page.text(1, 1, "Seller:").text(1, 1.3, "Tax invoice");
    const [confidence = 1] = confidenceOf(draw, text("seller"), { seller: "Tax invoice" });
    expect(confidence).toBeLessThanOrEqual(0.45);
  });

  it("caps a text that ends with a colon: it is a label", () => {
    const draw = (page: PageMaker) => page.text(1, 1, "Tenant:").text(1, 1.3, "Your symbol for payments:");
    const [confidence = 1] = confidenceOf(draw, text("tenant"), { tenant: "Your symbol for payments:" });
    expect(confidence).toBeLessThanOrEqual(0.45);
  });

  it("caps the first digits of a number that goes on", () => {
    const draw = (page: PageMaker) => page.text(1, 1, "Account: 88 1020 3440");
    const [part = 1] = confidenceOf(draw, text("account"), { account: "88" });
    const [whole = 0] = confidenceOf(draw, text("account"), { account: "88 1020 3440" });
    expect(part).toBeLessThanOrEqual(0.45);
    expect(whole).toBeGreaterThan(0.45);
  });

  it("caps a recognised amount that has lost the mark of the others", () => {
    const draw = (page: PageMaker) => {
      ["10.00", "20.00", "30.00", "40.90"].forEach((amount, at) => {
        page.text(4, 1 + at * 0.2, amount, { confidence: 0.95 });
      });
      page.text(1, 2, "Total:", { confidence: 0.95 }).text(4, 2, "10090", { confidence: 0.95 });
    };
    const [confidence = 1] = confidenceOf(draw, number("gross_total"), { gross_total: 10090 });
    expect(confidence).toBeLessThanOrEqual(0.45);
  });
});

describe("sums", () => {
  const SUMS = number("net_total", "tax_total", "gross_total");
  const RESULT = { net_total: 100, tax_total: 20, gross_total: 120 };

  it("prove labelled numbers, and three numbers that add up by chance do not", () => {
    const rows = (labels: string[]) => (page: PageMaker) => {
      ["100.00", "20.00", "120.00"].forEach((amount, at) => {
        page.text(1, 1 + at * 0.3, labels[at] ?? "").text(4, 1 + at * 0.3, amount);
      });
    };
    const labelled = confidenceOf(rows(["Net total", "VAT amount", "Grand total"]), SUMS, RESULT);
    const unlabelled = confidenceOf(rows(["Apples", "Pears", "Plums"]), SUMS, RESULT);
    expect(Math.min(...labelled)).toBeGreaterThan(0.9);
    expect(Math.max(...unlabelled)).toBeLessThan(0.9);
  });
});
