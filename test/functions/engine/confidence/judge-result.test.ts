import { describe, expect, it } from "vitest";
import type { SecondResult } from "../../../../functions/engine/confidence/extractor-agreement.ts";
import { type JudgedResult, judgeResult } from "../../../../functions/engine/confidence/judge-result.ts";
import { extractOffline } from "../../../../functions/engine/extraction/rules/extract-offline.ts";
import { locateValues } from "../../../../functions/engine/grounding/locate-values.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { Layout } from "../../../../functions/ports/layout.ts";
import { PageMaker } from "../extraction/page.ts";

const LINES = [
  "Harrow & Pike Ltd",
  "Invoice number: 2024-117",
  "Invoice date: 14 May 2024",
  "Due date: 28 May 2024",
  "Customer number: 88-4410",
];

const invoice = (confidence?: number): Layout => {
  const page = new PageMaker();
  const options = confidence === undefined ? {} : { confidence };
  for (const [at, line] of LINES.entries()) page.text(1, 1 + at * 0.3, line, options);
  page
    .text(1, 4, "Description", options)
    .text(4, 4, "Quantity", options)
    .text(5.2, 4, "Unit price", options)
    .text(6.6, 4, "Amount", options);
  const rows = [
    ["Copper pipe", "4", "12.50", "50.00"],
    ["Desk lamp", "2", "25.00", "50.00"],
    ["Oak board", "10", "9.90", "99.00"],
  ];
  for (const [at, [text = "", quantity = "", price = "", amount = ""]] of rows.entries()) {
    const y = 4.3 + at * 0.25;
    page
      .text(1, y, text, options)
      .text(4, y, quantity, options)
      .text(5.2, y, price, options)
      .text(6.6, y, amount, options);
  }
  page.text(5, 6, "Net total", options).text(6.6, 6, "199.00", options);
  page.text(5, 6.3, "VAT 20 %", options).text(6.6, 6.3, "39.80", options);
  page.text(5, 6.6, "Total incl. VAT", options).text(6.6, 6.6, "238.80", options);
  page.text(1, 8, "IBAN: DE89 3704 0044 0532 0130 00", options);
  return page.layout();
};

const TRUE = {
  invoice_number: "2024-117",
  invoice_date: "2024-05-14",
  due_date: "2024-05-28",
  net_total: 199,
  tax_total: 39.8,
  gross_total: 238.8,
  iban: "DE89 3704 0044 0532 0130 00",
  lines: [
    { description: "Copper pipe", quantity: 4, unit_price: 12.5, amount: 50 },
    { description: "Desk lamp", quantity: 2, unit_price: 25, amount: 50 },
    { description: "Oak board", quantity: 10, unit_price: 9.9, amount: 99 },
  ],
};

function judge(
  result: Json,
  { layout = invoice(), second }: { layout?: Layout; second?: SecondResult } = {},
): JudgedResult {
  const { sources } = locateValues(layout, result, { granularity: "word" });
  return judgeResult({ layout, result, sources, ...(second === undefined ? {} : { second }) });
}

function confidence({ sources }: JudgedResult, pointer: string): number {
  const one = sources.locations[pointer] ?? sources.unresolved.find((leaf) => leaf.pointer === pointer);
  if (one?.confidence === undefined) throw new Error(`${pointer} was not judged`);
  return one.confidence;
}

const right = judge(TRUE);

describe("judgeResult", () => {
  it("gives high confidence to values beside their labels that add up", () => {
    for (const [pointer, location] of Object.entries(right.sources.locations))
      expect([pointer, location.confidence, location.evidence]).toEqual([pointer, expect.closeTo(1, 0), undefined]);
    expect(right.failed).toEqual([]);
    expect(right.confidence).toBeGreaterThan(0.8);
  });

  it.each([
    ["a neighbour's value", { ...TRUE, due_date: "2024-05-14" }, "/due_date"],
    ["another label's value", { ...TRUE, invoice_number: "88-4410" }, "/invoice_number"],
    [
      "a wrong row",
      { ...TRUE, lines: TRUE.lines.map((line, at) => (at === 1 ? { ...line, unit_price: 9.9 } : line)) },
      "/lines/1/unit_price",
    ],
    ["digits exchanged", { ...TRUE, tax_total: 38.9 }, "/tax_total"],
    ["a lost decimal mark", { ...TRUE, net_total: 19_900 }, "/net_total"],
    ["a misread identifier", { ...TRUE, iban: "DE89 3704 0044 0532 0130 08" }, "/iban"],
    ["a sign", { ...TRUE, gross_total: -238.8 }, "/gross_total"],
  ])("lowers the confidence of %s", (_name, result, pointer) => {
    const judged = judge(result);
    expect(confidence(judged, pointer)).toBeLessThan(0.7);
    expect(confidence(judged, pointer)).toBeLessThan(confidence(right, pointer) - 0.2);
    expect(judged.confidence).toBeLessThan(right.confidence ?? 0);
  });

  it("gives the evidence against a value", () => {
    const { sources, failed } = judge({ ...TRUE, due_date: "2024-05-02", gross_total: 199, invoice_number: "88-4410" });
    expect(sources.locations["/invoice_number"]?.evidence).toMatchObject({
      match: 1,
      ocr: 1,
      agreement: null,
      rival: expect.any(Number),
    });
    expect(sources.locations["/gross_total"]?.evidence?.validators).toContainEqual({ name: "net-plus-tax", ok: false });
    expect(sources.unresolved).toContainEqual({
      pointer: "/due_date",
      reason: "not-found",
      confidence: expect.any(Number),
      evidence: expect.objectContaining({
        match: null,
        ocr: null,
        validators: expect.arrayContaining([{ name: "issue-date-before-due-date", ok: false }]),
      }),
    });
    expect(failed.map(({ name }) => name).sort()).toEqual(["issue-date-before-due-date", "net-plus-tax"]);
  });

  it("lowers confidence with the recognition's confidence", () => {
    const poor = judge(TRUE, { layout: invoice(0.4) });
    expect(confidence(poor, "/invoice_number")).toBeLessThan(confidence(right, "/invoice_number"));
    expect(confidence(poor, "/lines/2/description")).toBeLessThan(confidence(right, "/lines/2/description"));
  });

  it("raises confidence where a second extractor agrees, lowers it where that differs", () => {
    const layout = invoice();
    const schema = { type: "object", properties: { reference: { type: "string", title: "Customer number" } } };
    const second = extractOffline(layout, { schema: parseSchema(schema), granularity: "word" });
    const of = (value: string, beside: boolean): number =>
      confidence(judge({ reference: value }, beside ? { layout, second } : { layout }), "/reference");
    expect(second.result).toEqual({ reference: "88-4410" });
    expect(of("88-4410", true)).toBeGreaterThan(of("88-4410", false));
    expect(of("2024-117", true)).toBeLessThan(of("2024-117", false));
  });

  it("compares rows of a second extractor by their place on the page", () => {
    const layout = invoice();
    const second: SecondResult = { result: TRUE, sources: locateValues(layout, TRUE, { granularity: "word" }).sources };
    const some = { lines: TRUE.lines.slice(1).map((line, at) => (at === 0 ? { ...line, quantity: 10 } : line)) };
    const { sources } = judge(some, { layout, second });
    expect(sources.locations["/lines/0/quantity"]?.evidence?.agreement ?? null).not.toBe(true);
    expect(sources.locations["/lines/1/quantity"]?.evidence).toBeUndefined();
  });

  it("does not judge calculated values, and accepts form values at their fields", () => {
    const layout = invoice();
    const { sources } = locateValues(layout, TRUE, { granularity: "word", calculated: ["/tax_total"] });
    const judged = judgeResult({ layout, result: TRUE, sources });
    expect(judged.sources.unresolved).toEqual([{ pointer: "/tax_total", reason: "derived" }]);
    expect(Object.keys(judged.sources.locations)).toEqual(Object.keys(sources.locations));
  });

  it("returns no confidence for an empty result", () => {
    expect(judge({ a: null, b: [] })).toMatchObject({ confidence: null, failed: [] });
  });

  it("does not judge values from embedded files", () => {
    const layout = invoice();
    const { sources } = locateValues(layout, { ...TRUE, order_number: "PO-9" }, { granularity: "word" });
    const attested = { pointer: "/order_number", reason: "attachment" };
    const unresolved = sources.unresolved.map((one) => (one.pointer === attested.pointer ? attested : one));
    const judged = judgeResult({
      layout,
      result: { ...TRUE, order_number: "PO-9" },
      sources: { ...sources, unresolved },
    });
    expect(judged.sources.unresolved).toEqual([attested]);
    expect(judged.confidence).toBe(right.confidence);
  });
});
