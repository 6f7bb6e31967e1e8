import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../../functions/ports/json.ts";
import { PageMaker } from "../../page.ts";
import { grid } from "../invoices/sample.ts";

const items = (properties: Json): Json => ({
  type: "object",
  properties: { items: { type: "array", items: { type: "object", properties } } },
});
const LINE = items({
  description: { type: "string" },
  quantity: { type: "number" },
  unit_price: { type: "number" },
  amount: { type: "number" },
});

function read(schema: Json, draw: (page: PageMaker) => void): Json {
  const page = new PageMaker();
  draw(page);
  return extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "auto" }).result;
}

describe("line items from plain rows", () => {
  it("take the last of two price columns as the amount, and a line's own rate by its name", () => {
    const schema = items({
      name: { type: "string" },
      qty: { type: "number" },
      price_unit: { type: "number" },
      line_tax_percent: { type: "number" },
      price_subtotal: { type: "number" },
    });
    const result = read(schema, (page) =>
      grid(
        page,
        2,
        [1, -4, -5.2, -6, -7.4],
        [
          ["Artikel", "Aantal", "Prijs per stuk", "BTW", "Prijs incl. BTW"],
          ["Fietslamp", "1", "€ 24,50", "21%", "€ 24,50"],
          ["Regenjas", "1", "€ 79,00", "21%", "€ 79,00"],
          ["Statiegeld", "1", "", "0%", "€ 2,25"],
        ],
      ),
    );
    expect(result).toEqual({
      items: [
        { name: "Fietslamp", qty: 1, price_unit: 24.5, line_tax_percent: 21, price_subtotal: 24.5 },
        { name: "Regenjas", qty: 1, price_unit: 79, line_tax_percent: 21, price_subtotal: 79 },
        { name: "Statiegeld", qty: 1, price_unit: null, line_tax_percent: 0, price_subtotal: 2.25 },
      ],
    });
  });

  it("are read below a header, up to the totals", () => {
    const result = read(LINE, (page) => {
      grid(
        page,
        2,
        [1, -5, -6.2, -7.4],
        [
          ["Bezeichnung", "Menge", "Einzelpreis", "Gesamtpreis"],
          ["Dachziegel, rot", "12", "18,50 €", "222,00 €"],
          ["in drei Lieferungen"],
          ["Arbeitsstunden", "6,5", "54,00 €", "351,00 €"],
        ],
      );
      grid(
        page,
        3.1,
        [5, -7.4],
        [
          ["Nettobetrag", "573,00 €"],
          ["Gesamtbetrag", "681,87 €"],
        ],
      );
    });
    expect(result).toEqual({
      items: [
        { description: "Dachziegel, rot", quantity: 12, unit_price: 18.5, amount: 222 },
        { description: "Arbeitsstunden", quantity: 6.5, unit_price: 54, amount: 351 },
      ],
    });
  });

  it("continue at a repeated header on the next page", () => {
    const header = ["Description", "Qty", "Unit price", "Amount"];
    const result = read(LINE, (page) => {
      grid(page, 2, [1, -5, -6.2, -7.4], [header, ["Nails", "2", "1.00", "2.00"]]);
      page.newPage();
      grid(page, 1, [1, -5, -6.2, -7.4], [header, ["Wood", "3", "5.00", "15.00"]]);
    });
    expect(result).toMatchObject({ items: [{ description: "Nails" }, { description: "Wood", quantity: 3 }] });
  });

  it("are found by the schema's own words, and nested", () => {
    const schema = items({
      species: { type: "string" },
      sightings: { type: "integer" },
      price: { type: "object", properties: { unit_price: { type: "number" } } },
      tags: { type: "array", items: { type: "string" } },
    });
    const result = read(schema, (page) =>
      grid(
        page,
        2,
        [1, -4, -6],
        [
          ["Species", "Sightings", "Price"],
          ["Kestrel", "7", "2.50"],
        ],
      ),
    );
    expect(result).toEqual({ items: [{ species: "Kestrel", sightings: 7, price: { unit_price: 2.5 }, tags: [] }] });
  });

  it("need a header that names the columns", () => {
    expect(
      read(LINE, (page) =>
        grid(
          page,
          2,
          [1, -5, -7.4],
          [
            ["Nails", "2", "2.00"],
            ["Wood", "3", "15.00"],
          ],
        ),
      ),
    ).toEqual({ items: [] });
    expect(
      read(LINE, (page) => page.text(1, 2, "The amount and the quantity of a description are the price.")),
    ).toEqual({ items: [] });
  });

  it("include an amount printed a line lower, and no neighbour's number", () => {
    const result = read(LINE, (page) => {
      grid(page, 2, [1, -5, -6.2, -7.4], [["Bezeichnung", "Nettopreis", "Menge", "Nettobetrag"]]);
      for (const [top, name, price, quantity, amount] of [
        [2.4, "Massage", "26,00", "10", "260,00"],
        [3, "Hausbesuch", "12,00", "9", "108,00"],
      ] as const) {
        grid(page, top, [1, -5, -6.2, -7.4], [[name, price, quantity]]);
        page.text(7.4, top + 0.13, amount, { align: "right" });
        page.text(1, top + 0.3, "an den folgenden Terminen, wie es die Verordnung von Frau Dr. Heiler vorsieht:", {
          size: 8,
        });
      }
    });
    expect(result).toEqual({
      items: [
        { description: "Massage", quantity: 10, unit_price: 26, amount: 260 },
        { description: "Hausbesuch", quantity: 9, unit_price: 12, amount: 108 },
      ],
    });
  });

  it("join headings of several lines", () => {
    const result = read(LINE, (page) => {
      page.text(5, 1.86, "Unit", { align: "right" }).text(7.4, 1.86, "Line", { align: "right" });
      grid(
        page,
        2,
        [1, -5, -6.2, -7.4],
        [
          ["Description", "price", "Qty", "total"],
          ["Nails", "2.50", "4", "10.00"],
        ],
      );
    });
    expect(result).toEqual({ items: [{ description: "Nails", quantity: 4, unit_price: 2.5, amount: 10 }] });
  });

  it("continue on a page with the same columns, up to sums beside other text", () => {
    const result = read(LINE, (page) => {
      grid(
        page,
        2,
        [1, -5, -6.2, -7.4],
        [
          ["Description", "Qty", "Unit price", "Amount"],
          ["Nails", "2", "1.50", "3.00"],
        ],
      );
      page.newPage();
      page.text(1, 0.5, "Page 2 of our letter");
      grid(page, 1, [1, -5, -6.2, -7.4], [["Wood", "3", "5.00", "15.00"]]);
      grid(page, 1.5, [1, 5.6, -7.4], [["Paid by card", "Subtotal", "18.00"]]);
    });
    expect(result).toMatchObject({ items: [{ description: "Nails" }, { description: "Wood", amount: 15 }] });
    expect((result as { items: Json[] }).items).toHaveLength(2);
  });

  it("are reported as empty without rows", () => {
    const { sources } = extractOffline(new PageMaker().text(1, 1, "x").layout(), {
      schema: parseSchema(LINE),
      granularity: "auto",
    });
    expect(sources.unresolved).toEqual([{ pointer: "/items", reason: "empty" }]);
  });
});

describe("lists of scalars", () => {
  const schema: Json = {
    type: "object",
    properties: {
      keywords: { type: "array", items: { type: "string" } },
      numbers: { type: "array", items: { type: "number" } },
    },
  };
  it("split the text behind the property's own label", () => {
    expect(read(schema, (page) => page.text(1, 1, "Keywords: oak, pine; birch").text(1, 2, "Numbers: 1, 2"))).toEqual({
      keywords: ["oak", "pine", "birch"],
      numbers: [],
    });
  });
  it("are empty otherwise", () => {
    expect(read(schema, (page) => page.text(1, 1, "keywords are many, and good"))).toEqual({
      keywords: [],
      numbers: [],
    });
  });
});
