import { describe, expect, it } from "vitest";
import { checkResult } from "../../../../functions/engine/confidence/result-checks.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../functions/ports/json.ts";

const WRITTEN = { notation: "point", order: "day-first" } as const;
const check = (data: Json, schema?: Json, without: string[] = []) =>
  checkResult(data, schema === undefined ? undefined : parseSchema(schema), WRITTEN, new Set(without));
const failures = (data: Json, schema?: Json) =>
  check(data, schema)
    .filter(({ ok }) => !ok)
    .map(({ name, pointers }) => [name, ...pointers]);
const passes = (data: Json) =>
  check(data)
    .filter(({ ok }) => ok)
    .map(({ name }) => name);

describe("checkResult, for single values", () => {
  it.each([
    [{ iban: "DE89 3704 0044 0532 0130 00" }, "iban"],
    [{ seller: { vatId: "DE136695976" } }, "vat-id"],
    [{ ean: 4006381333931 }, "gtin"],
    [{ isin: "US0378331005" }, "isin"],
    [{ isbn: "0-306-40615-2" }, "isbn"],
    [{ credit_card_number: "4539 5787 6362 1486" }, "luhn"],
    [{ siret: "732 829 320 00074" }, "luhn"],
    [{ payment_reference: "RF18 5390 0754 7034" }, "payment-reference"],
    [{ bic: "INGBNL2A" }, "bic"],
    [{ email: "desk@harrow.example" }, "email"],
    [{ website: "www.harrow.example/shop" }, "url"],
    [{ phone: "+49 30 123456-0" }, "phone"],
    [{ currency: "EUR" }, "currency"],
    [{ invoice_date: "2024-02-29" }, "date"],
  ])("passes %j", (data, name) => {
    expect(passes(data)).toContain(name);
    expect(failures(data)).toEqual([]);
  });

  it.each([
    [{ iban: "DE89 3704 0044 0532 0130 01" }, ["iban", "/iban"]],
    [{ seller: { vatId: "DE136695967" } }, ["vat-id", "/seller/vatId"]],
    [{ ean: 4006381333913 }, ["gtin", "/ean"]],
    [{ email: "desk(at)harrow.example" }, ["email", "/email"]],
    [{ invoice_date: "2024-02-31" }, ["date", "/invoice_date"]],
    [{ invoice_date: "0204-02-21" }, ["date", "/invoice_date"]],
    [{ currency: "12 pieces" }, ["currency", "/currency"]],
    [{ seller: "DE 12345 Beispielstadt" }, ["party-name", "/seller"]],
    [{ buyer: { name: "Rechnungsstraße 12" } }, ["party-name", "/buyer/name"]],
  ])("fails %j", (data, failure) => {
    expect(failures(data)).toEqual([failure]);
  });

  it("ignores masked values, and values without a check", () => {
    expect(
      check({ iban: "DE89 **** **** 0130 00", card_number: "XXXX XXXX XXXX 1486", vat_id: "US 12-3456789" }),
    ).toEqual([]);
    expect(check({ seller: "Harrow & Pike Ltd", buyer: "Lane 5 GmbH" })).toEqual([]);
    expect(check({ currency: "XDR", due_date: "upon receipt", email: null, iban: true })).toEqual([]);
  });

  it("explains a failure in a sentence, with long values shortened", () => {
    const [one] = check({ iban: "DE89 3704 0044 0532 0130 01" });
    expect(one?.message).toBe(
      '"DE89 3704 0044 0532 0130 01" fails its check digits, so a character is wrong or missing.',
    );
    const [long] = check({ currency: "y".repeat(119) });
    expect(long?.message.length).toBeLessThan(110);
  });
});

describe("checkResult, for amounts", () => {
  const totals = { net_total: 100, tax_total: 19, gross_total: 119 };

  it("passes sums, with discounts and for amounts as printed", () => {
    expect(passes(totals)).toContain("net-plus-tax");
    expect(passes({ ...totals, gross_total: 114, discount: -5 })).toContain("net-plus-tax");
    expect(passes({ ...totals, gross_total: 114, discount: 5 })).toContain("net-plus-tax");
    expect(passes({ net_total: "1,000.00", tax_total: "190.00", gross_total: "$1,190.00" })).toContain("net-plus-tax");
    expect(passes({ net_total: -7.67, tax_total: -1.12, gross_total: -8.79 })).toContain("net-plus-tax");
    expect(passes({ ...totals, amount_due: 69, prepaid: 50 })).toContain("gross-to-due");
    expect(passes({ ...totals, tax_rate: 0.19 })).toContain("tax-by-rate");
  });

  it("names all amounts of a failed sum", () => {
    const [one] = check({ ...totals, gross_total: 191 });
    expect(one).toMatchObject({
      name: "net-plus-tax",
      kind: "arithmetic",
      ok: false,
      pointers: ["/net_total", "/tax_total", "/gross_total"],
      message: "The net total and the tax make 119, but the gross total is 191.",
    });
    expect(failures({ ...totals, tax_rate: 7 })).toEqual([["tax-by-rate", "/net_total", "/tax_total", "/tax_rate"]]);
    expect(failures({ ...totals, prepaid: 20, amount_due: 119.5 })).toContainEqual([
      "gross-to-due",
      "/gross_total",
      "/amount_due",
      "/prepaid",
    ]);
  });

  it("checks stated sums only", () => {
    expect(check({ gross_total: 119, amount_due: 60 })).toEqual([]);
    expect(check({ net_total: 100, tax_total: 19 })).toEqual([]);
  });

  it("ignores calculated amounts", () => {
    expect(check(totals, undefined, ["/tax_total"])).toEqual([]);
  });

  const line = (quantity: number, unit_price: number, amount: number) => ({ quantity, unit_price, amount });

  it("passes products of rows, and their total", () => {
    const data = { lines: [line(2, 10, 20), line(3, 26.67, 80)], net_total: 100 };
    expect(passes(data)).toEqual(["quantity-times-price", "quantity-times-price", "lines-to-total"]);
  });

  it("names the amounts of a failed product, and of a missed total", () => {
    const data = { lines: [line(2, 10, 20), line(3, 26.67, 90)], net_total: 100 };
    expect(failures(data)).toEqual([
      ["quantity-times-price", "/lines/1/quantity", "/lines/1/unit_price", "/lines/1/amount"],
      ["lines-to-total", "/lines/0/amount", "/lines/1/amount", "/net_total"],
    ]);
  });
});

describe("checkResult, for a failed product", () => {
  const suspects = (quantity: number, unit_price: number, amount: number): unknown =>
    checkResult({ lines: [{ quantity, unit_price, amount }] }, undefined, WRITTEN, new Set())
      .filter(({ ok }) => !ok)
      .map(({ pointers, sides }) => [pointers.length, sides?.map(({ value }) => value)]);

  it.each<[string, [number, number, number], number[]]>([
    ["the amount that lost its mark", [1, 44.99, 4499], [4499]],
    ["the price that lost its mark", [3, 1250, 37.5], [1250]],
    ["all, where no mark is missing", [3, 26.67, 90], [3, 26.67, 90]],
    ["all, where a mark would not help", [2, 15, 4000], [2, 15, 4000]],
  ])("suspects %s", (_what, [quantity, price, amount], blamed) => {
    expect(suspects(quantity, price, amount)).toEqual([[3, blamed]]);
  });
});

describe("checkResult, for dates", () => {
  it("checks their order", () => {
    expect(passes({ invoice_date: "2024-05-01", due_date: "2024-05-15" })).toContain("issue-date-before-due-date");
    expect(failures({ invoice_date: "2024-05-15", due_date: "01.05.2024" })).toEqual([
      ["issue-date-before-due-date", "/invoice_date", "/due_date"],
    ]);
    expect(failures({ invoice_date: "2014-05-15", due_date: "2024-05-20" })).toEqual([
      ["credit-period", "/invoice_date", "/due_date"],
    ]);
    expect(failures({ period_start: "2024-05-31", period_end: "2024-05-01" })).toHaveLength(1);
  });
});

describe("checkResult, for columns", () => {
  const column = (values: Json[]) => ({ rows: values.map((reading) => ({ reading })) });

  it("fails cells of another kind, sign or size", () => {
    expect(failures(column([1, 2, 5, 1, 2, 3, 5, "n/a"]))).toEqual([["column-kind", "/rows/7/reading"]]);
    expect(failures(column([10, 20, 50, 15, -20, 30, 25, 40]))).toEqual([["column-sign", "/rows/4/reading"]]);
    const sizes = [10, 21, 50, 15, 20, 30, 25, 40, 33, 2_500_000];
    expect(failures(column(sizes))).toEqual([["column-size", "/rows/9/reading"]]);
  });

  it("fails a cell that breaks a running count", () => {
    expect(failures(column([7, 8, 9, 1, 11, 12, 13, 14, 15]))).toEqual([["column-count", "/rows/3/reading"]]);
    expect(failures(column([1, 2, 3, 4, 5, 6, 7, 8]))).toEqual([]);
  });

  it("checks no columns of words or of few cells", () => {
    expect(failures(column(["Oak board", "Lamp 3", "Rope", "Nails", "Pipe 15 mm", "Glue"]))).toEqual([]);
    expect(failures(column([1, "x", -5000]))).toEqual([]);
  });
});

describe("checkResult, for the schema", () => {
  const schema = (property: Json): Json => ({ type: "object", properties: { grade: property } });

  it.each([
    [{ enum: ["a", "b"] }, "c", "schema-enum"],
    [{ type: "integer" }, 1.5, "schema-type"],
    [{ type: "number", maximum: 10 }, 11, "schema-range"],
    [{ type: "string", maxLength: 3 }, "abcd", "schema-length"],
    [{ type: "string", pattern: "^\\d{3}$" }, "12a", "schema-pattern"],
  ])("checks against %j the value %j", (property, value, name) => {
    expect(failures({ grade: value }, schema(property))).toEqual([[name, "/grade"]]);
  });

  it("reports nothing for values that fit", () => {
    expect(failures({ grade: "123" }, schema({ type: "string", pattern: "^\\d{3}$", minLength: 1 }))).toEqual([]);
    expect(failures({ grade: 3 }, schema({ type: "number" }))).toEqual([]);
  });
});
