import { describe, expect, it } from "vitest";
import type { AcroFormField } from "../../../../functions/engine/forms/acroform/acroform.ts";
import type { SourceLocation } from "../../../../functions/engine/layout/source-locations.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import { PageMaker } from "../extraction/page.ts";
import { locateIn, wordsAt } from "./located.ts";

const topOf = (location: SourceLocation | undefined): number => location?.pageAnchors[0]?.bbox.top ?? -1;
const leftOf = (location: SourceLocation | undefined): number => location?.pageAnchors[0]?.bbox.left ?? -1;

describe("locateValues, with one value in several places", () => {
  const page = new PageMaker()
    .text(1, 1, "Delivery 100.00")
    .text(1, 2, "Net total:")
    .text(4, 2, "380.00")
    .text(1, 2.5, "Tax:")
    .text(4, 2.5, "0.00")
    .text(1, 3, "Total due:")
    .text(4, 3, "380.00")
    .newPage()
    .text(1, 1, "Carried over 380.00")
    .layout();

  it("takes the place beside its label", () => {
    const { locations } = locateIn(page, { net_total: 380, amount_due: 380 }).sources;
    expect(topOf(locations["/net_total"])).toBeCloseTo(2, 1);
    expect(topOf(locations["/amount_due"])).toBeCloseTo(3, 1);
    expect(locations["/net_total"]?.confidence).toBeGreaterThan(0.85);
  });

  it("has little confidence without a label", () => {
    const { locations } = locateIn(page, { something: 380 }).sources;
    expect(locations["/something"]?.pageAnchors[0]?.pageNumber).toBe(1);
    expect(locations["/something"]?.confidence).toBeLessThan(0.75);
  });

  it("uses the schema's description of the field", () => {
    const schema = {
      type: "object",
      properties: { x: { type: "number", title: "Net total" }, y: { type: "number", title: "Total due" } },
    };
    const { locations } = locateIn(page, { x: 380, y: 380 }, { schema: parseSchema(schema) }).sources;
    expect(topOf(locations["/x"])).toBeCloseTo(2, 1);
    expect(topOf(locations["/y"])).toBeCloseTo(3, 1);
  });

  it("prefers the place near its siblings", () => {
    const parties = new PageMaker()
      .lines(1, 1, ["Alpha GmbH", "Lindenweg 4", "12345 Berlin"])
      .lines(1, 4, ["Beta AG", "Ahornstraße 9", "12345 Berlin"])
      .layout();
    const data = {
      a: { name: "Alpha GmbH", street: "Lindenweg 4", city: "Berlin" },
      b: { name: "Beta AG", street: "Ahornstraße 9", city: "Berlin" },
    };
    const { locations } = locateIn(parties, data).sources;
    expect(topOf(locations["/a/city"])).toBeLessThan(2);
    expect(topOf(locations["/b/city"])).toBeGreaterThan(4);
  });
});

describe("locateValues, with the items of a list", () => {
  const rows: [string, number, number][] = [
    ["Paper", 2, 5],
    ["Pens", 5, 1],
    ["Paper", 2, 5],
    ["Ink", 1, 5],
    ["Paper", 2, 5],
  ];
  const tops = rows.map((_, index) => 2 + index * 0.3);
  const table = (): PageMaker => {
    const page = new PageMaker()
      .text(1, 0.5, "Order 2 of 5")
      .text(1, 1.7, "Description")
      .text(4, 1.7, "Quantity")
      .text(6, 1.7, "Unit price");
    for (const [index, [name, quantity, price]] of rows.entries())
      page
        .text(1, tops[index] ?? 0, name)
        .text(4, tops[index] ?? 0, String(quantity))
        .text(6, tops[index] ?? 0, price.toFixed(2));
    return page;
  };
  const items = rows.map(([description, quantity, unit_price]) => ({ description, quantity, unit_price }));

  it("places items on consecutive rows, cells in their columns", () => {
    const { locations } = locateIn(table().layout(), { items }).sources;
    for (const [index, top] of tops.entries()) {
      for (const [name, left] of [
        ["description", 1],
        ["quantity", 4],
        ["unit_price", 6],
      ] as const) {
        expect(topOf(locations[`/items/${index}/${name}`]), `${index} ${name}`).toBeCloseTo(top, 2);
        expect(leftOf(locations[`/items/${index}/${name}`]), `${index} ${name}`).toBeCloseTo(left, 2);
      }
    }
  });

  it("places items that are in another order than the page", () => {
    const layout = table().layout();
    const turned = [rows[3], rows[1]].map((row) => ({ description: row?.[0] ?? "", quantity: row?.[1] ?? 0 }));
    const { locations } = locateIn(layout, { items: turned }).sources;
    expect(topOf(locations["/items/0/quantity"])).toBeCloseTo(tops[3] ?? 0, 2);
    expect(topOf(locations["/items/1/quantity"])).toBeCloseTo(tops[1] ?? 0, 2);
  });

  it("skips a row that the result lacks", () => {
    const { locations } = locateIn(table().layout(), { items: items.slice(1) }).sources;
    expect(topOf(locations["/items/0/description"])).toBeCloseTo(tops[1] ?? 0, 2);
    expect(topOf(locations["/items/3/description"])).toBeCloseTo(tops[4] ?? 0, 2);
  });

  it("accepts scalars, and rows given as lists", () => {
    const layout = table().layout();
    const { locations } = locateIn(layout, {
      names: rows.map(([name]) => name),
      cells: rows.map((row) => [...row]),
    }).sources;
    for (const [index, top] of tops.entries()) {
      expect(topOf(locations[`/names/${index}`])).toBeCloseTo(top, 2);
      expect(topOf(locations[`/cells/${index}/1`])).toBeCloseTo(top, 2);
      expect(leftOf(locations[`/cells/${index}/1`])).toBeCloseTo(4, 2);
    }
  });

  it("continues items over pages", () => {
    const page = new PageMaker();
    const all = Array.from({ length: 60 }, (_, index) => ({ code: `A${index % 7}`, amount: (index % 5) + 0.5 }));
    for (const [index, { code, amount }] of all.entries()) {
      if (index === 30) page.newPage();
      page.text(1, 1 + (index % 30) * 0.3, code).text(4, 1 + (index % 30) * 0.3, amount.toFixed(2));
    }
    const layout = page.layout();
    const { locations } = locateIn(layout, { all }).sources;
    for (const index of all.keys()) {
      expect(locations[`/all/${index}/amount`]?.pageAnchors[0]?.pageNumber).toBe(index < 30 ? 1 : 2);
      expect(topOf(locations[`/all/${index}/code`])).toBeCloseTo(1 + (index % 30) * 0.3, 2);
    }
  });
});

describe("locateValues, with form fields", () => {
  const field = (
    id: string,
    name: string,
    value: string,
    left: number,
    type: AcroFormField["type"] = "text",
  ): AcroFormField => ({
    id,
    name,
    type,
    tooltip: null,
    value,
    defaultValue: null,
    options: [],
    flags: [],
    maxLength: null,
    pageNumber: 1,
    rect: [left, 700, left + 90, 715],
    widgets: [
      {
        id: `${id}w`,
        pageNumber: 1,
        rect: [left, 700, left + 90, 715],
        pageAnchors: [{ pageNumber: 1, unit: "point", bbox: { left, top: 77, right: left + 90, bottom: 92 } }],
      },
    ],
  });
  const layout = new PageMaker().text(1, 1.1, "Jane Doe").text(4, 1.1, "1,250.00").text(1, 3, "Form 7").layout();
  const formFields = [
    field("f1", "applicant.name", "Jane Doe", 72),
    field("f2", "income_total", "1,250.00", 288),
    field("f3", "married", "Yes", 400, "checkbox"),
    field("f4", "spouse.name", "Jane Doe", 500),
  ];

  it("locates values at the fields that were filled in", () => {
    const data = { applicant_name: "Jane Doe", incomeTotal: 1250, married: true, form: "Form 7" };
    const { locations } = locateIn(layout, data, { formFields }).sources;
    expect(locations["/applicant_name"]).toMatchObject({ resolution: "acroform-field", sourceRefs: ["f1"] });
    expect(locations["/incomeTotal"]).toMatchObject({ resolution: "acroform-field", sourceRefs: ["f2"] });
    expect(locations["/married"]?.pageAnchors[0]).toMatchObject({ unit: "point", bbox: { left: 400 } });
    expect(locations["/form"]?.resolution).toBe("word");
    expect(wordsAt(layout, locations["/form"])).toBe("Form 7");
  });

  it("locates no other values at form fields", () => {
    const { locations, unresolved } = locateIn(layout, { married: false, other: "John Doe" }, { formFields }).sources;
    expect(locations).toEqual({});
    expect(unresolved.map(({ reason }) => reason)).toEqual(["not-found", "not-found"]);
  });
});
