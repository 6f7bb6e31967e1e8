/** The effect of failed checks on a value's confidence, whatever the other evidence. */
import { describe, expect, it } from "vitest";
import { judgeResult } from "../../../../functions/engine/confidence/judge-result.ts";
import { locateValues } from "../../../../functions/engine/grounding/locate-values.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import { PageMaker } from "../extraction/page.ts";

/** From here on a mark on a page is green. */
const GREEN = 0.9;

/** The document prints exactly the given values, each beside its label: no other evidence speaks against any. */
function confidences(lines: string[], result: { [name: string]: Json }): Record<string, number> {
  const layout = new PageMaker().lines(1, 1, lines).layout();
  const { sources } = locateValues(layout, result, { granularity: "word" });
  const judged = judgeResult({ layout, result, sources });
  expect(judged.sources.unresolved).toEqual([]);
  return Object.fromEntries(
    Object.entries(judged.sources.locations).map(([pointer, { confidence }]) => [pointer.slice(1), confidence]),
  );
}

const labelled = (name: string, value: Json): string =>
  `${name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase())}: ${typeof value === "number" ? value.toFixed(2) : value}`;

describe("judgeResult, for failed check digits", () => {
  it.each([
    ["iban", "DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 01"],
    ["vat_id", "DE136695976", "DE136695977"],
    ["ean", "4006381333931", "4006381333932"],
    ["isin", "US0378331005", "US0378331006"],
    ["isbn", "0-306-40615-2", "0-306-40615-3"],
    ["credit_card_number", "4111 1111 1111 1111", "4111 1111 1111 1112"],
    ["siret", "732 829 320 00074", "732 829 320 00075"],
    ["imei", "490154203237518", "490154203237519"],
    ["payment_reference", "RF18 5390 0754 7034", "RF18 5390 0754 7035"],
  ])("keeps %s below green, though the page prints it so", (name, good, bad) => {
    expect(confidences([labelled(name, good)], { [name]: good })[name]).toBeGreaterThan(GREEN);
    expect(confidences([labelled(name, bad)], { [name]: bad })[name]).toBeLessThanOrEqual(0.5);
  });

  it("does not cap the other values", () => {
    const result = { iban: "DE89 3704 0044 0532 0130 01", vat_id: "DE136695976" };
    const found = confidences(
      Object.entries(result).map(([name, value]) => labelled(name, value)),
      result,
    );
    expect(found.vat_id).toBeGreaterThan(GREEN);
  });
});

const totals = (values: { [name: string]: number }) =>
  confidences(
    Object.entries(values).map(([name, value]) => labelled(name, value)),
    values,
  );

describe("judgeResult, for failed sums", () => {
  it("keeps all their values below green", () => {
    const good = totals({ net_total: 1318.1, tax_total: 250.44, gross_total: 1568.54 });
    const bad = totals({ net_total: 1318.1, tax_total: 250.44, gross_total: 1668.54 });
    for (const name of Object.keys(bad)) {
      expect([name, good[name]]).toEqual([name, expect.closeTo(1, 1)]);
      expect(bad[name]).toBeLessThan(GREEN);
    }
  });

  it("is not outweighed by an amount due read from the total's words", () => {
    const lines = ["Net total: 1318.10", "Tax total: 250.44", "Gross total: 1668.54"];
    const found = confidences(lines, {
      net_total: 1318.1,
      tax_total: 250.44,
      gross_total: 1668.54,
      amount_due: 1668.54,
    });
    expect(Math.max(...Object.values(found))).toBeLessThan(GREEN);
  });

  it("spares values that another sum proves, and caps the rest", () => {
    const found = totals({ net_total: 1000, tax_rate: 19, tax_total: 190, gross_total: 1290 });
    expect(found.net_total).toBeGreaterThan(GREEN);
    expect(found.tax_total).toBeGreaterThan(GREEN);
    expect(found.gross_total).toBeLessThanOrEqual(0.5);
  });

  it("includes payments in the amount due", () => {
    const found = totals({ gross_total: 119, prepaid: 20, amount_due: 109.5 });
    expect(Object.keys(found)).toHaveLength(3);
    expect(Math.max(...Object.values(found))).toBeLessThan(GREEN);
  });

  it("caps the row, and the total of the rows", () => {
    const page = new PageMaker().text(1, 1, "Quantity").text(3, 1, "Unit price").text(5, 1, "Amount");
    const rows = [
      [2, 10, 20],
      [3, 26.67, 90],
    ] as const;
    rows.forEach(([quantity, price, amount], at) => {
      page
        .text(1, 1.3 + at * 0.3, String(quantity))
        .text(3, 1.3 + at * 0.3, price.toFixed(2))
        .text(5, 1.3 + at * 0.3, amount.toFixed(2));
    });
    const layout = page.text(3, 2.5, "Net total").text(5, 2.5, "100.00").layout();
    const result = {
      lines: rows.map(([quantity, unit_price, amount]) => ({ quantity, unit_price, amount })),
      net_total: 100,
    };
    const { sources } = locateValues(layout, result, { granularity: "word" });
    const { locations } = judgeResult({ layout, result, sources }).sources;
    for (const pointer of ["/lines/1/quantity", "/lines/1/unit_price", "/lines/1/amount", "/net_total"])
      expect([pointer, (locations[pointer]?.confidence ?? 1) < GREEN]).toEqual([pointer, true]);
    expect(locations["/lines/0/amount"]?.confidence).toBeGreaterThan(GREEN);
  });
});

describe("judgeResult, for dates", () => {
  const dates = (invoice: string, due: string) =>
    confidences([`Invoice date: ${invoice}`, `Due date: ${due}`], { invoice_date: invoice, due_date: due });

  it.each([
    ["2024-04-03", "2024-03-17"],
    ["2024-04-03", "1999-03-17"],
    ["2024-04-03", "2031-04-17"],
  ])("keeps %s and %s in an impossible order below green", (issued, due) => {
    expect(Math.min(...Object.values(dates("2024-04-03", "2024-04-17")))).toBeGreaterThan(GREEN);
    expect(Math.max(...Object.values(dates(issued, due)))).toBeLessThan(GREEN);
  });

  it("keeps invalid dates below green", () => {
    expect(confidences(["Invoice date: 2023-02-30"], { invoice_date: "2023-02-30" }).invoice_date).toBeLessThan(0.51);
  });
});
