import { describe, expect, it } from "vitest";
import type { Json } from "../../../../functions/ports/json.ts";
import type { Layout } from "../../../../functions/ports/layout.ts";
import { PageMaker } from "../extraction/page.ts";
import { missingOf } from "./tables.ts";

const SERVICES = [
  { service: "Data transfer", amount: 12.4 },
  { service: "Compute cluster", amount: 187.05 },
  { service: "Archive", amount: 22.2 },
  { service: "Object storage", amount: 0.75 },
];
const without = (list: readonly Json[], ...gone: number[]): Json[] => list.filter((_, at) => !gone.includes(at));

const schemaOf = (name: string, properties: Json): Json => ({
  type: "object",
  properties: { [name]: { type: "array", items: { type: "object", properties } } },
});
const PAIRS = { service: { type: "string" }, amount: { type: "number" } };
const SCHEMA = schemaOf("services", PAIRS);

/** Services with their details below, further in; their sum at the end. */
function statement(total: string): Layout {
  const maker = new PageMaker().text(1, 0.6, "Statement of services");
  let y = 1.5;
  const pair = (x: number, label: string, amount: number | string): void => {
    maker.text(x, y, label).text(6, y, typeof amount === "string" ? amount : amount.toFixed(2), { align: "right" });
    y += 0.2;
  };
  for (const { service, amount } of SERVICES) {
    pair(1.2, service, amount);
    pair(1.4, "Usage", amount);
    pair(1.4, "VAT", "0.00");
  }
  pair(1, "Total for this month", total);
  return maker.layout();
}

describe("reconcile, with labels and amounts verified by a total", () => {
  it("reports all missing rows, however few are returned", () => {
    const layout = statement("222.40");
    expect(missingOf(layout, { services: SERVICES }, { schema: SCHEMA })).toEqual([]);
    for (const at of SERVICES.keys())
      expect(missingOf(layout, { services: without(SERVICES, at) }, { schema: SCHEMA })).toEqual([
        `${SERVICES[at]?.service} | ${SERVICES[at]?.amount.toFixed(2)}`,
      ]);
    expect(missingOf(layout, { services: without(SERVICES, 0, 1, 3) }, { schema: SCHEMA })).toHaveLength(3);
    expect(missingOf(layout, { services: [] }, { schema: SCHEMA })).toHaveLength(4);
  });

  it("decides by the indent of matched rows where amounts do not add up to the cent", () => {
    const layout = statement("222.41");
    expect(missingOf(layout, { services: without(SERVICES, 1) }, { schema: SCHEMA })).toEqual([
      "Compute cluster | 187.05",
    ]);
    expect(missingOf(layout, { services: SERVICES }, { schema: SCHEMA })).toEqual([]);
  });

  const slip = (): Layout => {
    const maker = new PageMaker();
    const lines = [
      ["Coffee", "3.20"],
      ["Bread roll", "1.80"],
      ["Service charge", "0.50"],
      ["Total", "5.50"],
    ];
    for (const [at, [label = "", amount = ""]] of lines.entries())
      maker.text(1, 1 + at * 0.25, label).text(5, 1 + at * 0.25, amount, { align: "right" });
    return maker.layout();
  };

  it("does not count charges that the total includes", () => {
    const items = [
      { service: "Coffee", amount: 3.2 },
      { service: "Bread roll", amount: 1.8 },
    ];
    expect(missingOf(slip(), { services: items }, { schema: SCHEMA })).toEqual([]);
    expect(missingOf(slip(), { services: without(items, 1) }, { schema: SCHEMA })).toEqual(["Bread roll | 1.80"]);
  });

  it("counts no verified rows for a list of charges", () => {
    const discounts = [{ service: "Coffee", amount: 3.2 }];
    expect(missingOf(slip(), { discounts }, { schema: schemaOf("discounts", PAIRS) })).toEqual([]);
    expect(missingOf(slip(), { discounts: [] }, { schema: schemaOf("discounts", PAIRS) })).toEqual([]);
  });
});

describe("reconcile, with amounts on lines of their own", () => {
  const ARTICLES = [
    { code: "AU-5521", quantity: 1, price: 349.99, amount: 349.99 },
    { code: "KABEL-8834", quantity: 2, price: 79.99, amount: 159.98 },
    { code: "ST-2241", quantity: 3, price: 2.5, amount: 7.5 },
  ];
  const fields = { code: { type: "string" }, quantity: { type: "integer" } };
  const schema = schemaOf("articles", { ...fields, price: { type: "number" }, amount: { type: "number" } });
  const texts = ARTICLES.flatMap(({ code, quantity, price, amount }) => [
    "Something with a name",
    `${code} ${quantity} @ $${price.toFixed(2)}`,
    `$${amount.toFixed(2)}`,
  ]);
  const layout = new PageMaker().lines(1, 1, ["The shop", "Till 7", ...texts, "SUBTOTAL $517.47"]).layout();

  it("merges each amount with the lines above it", () => {
    expect(missingOf(layout, { articles: ARTICLES }, { schema })).toEqual([]);
    for (const at of ARTICLES.keys())
      expect(missingOf(layout, { articles: without(ARTICLES, at) }, { schema })).toEqual([
        texts.slice(3 * at, 3 * at + 3).join(" | "),
      ]);
    expect(missingOf(layout, { articles: [] }, { schema })).toHaveLength(3);
  });
});
