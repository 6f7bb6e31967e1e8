import { describe, expect, it } from "vitest";
import type { Json } from "../../../../functions/ports/json.ts";
import type { Layout } from "../../../../functions/ports/layout.ts";
import { PageMaker } from "../extraction/page.ts";
import { linesOf, receiptsOf } from "./tables.ts";

type Row = { [name: string]: string | number };

const schemaOf = (row: Row): Json => ({
  type: "object",
  properties: {
    rows: {
      type: "array",
      items: {
        type: "object",
        properties: Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, { type: typeof value === "number" ? "number" : "string" }]),
        ),
      },
    },
  },
});

/** Expected and returned rows for a result of the kept rows. */
function countOf(layout: Layout, rows: readonly Row[], kept: readonly Row[]): [number, number] {
  const [receipt] = receiptsOf(layout, { rows: [...kept] }, { schema: schemaOf(rows[0] ?? {}) });
  return [(receipt?.returned ?? 0) + (receipt?.missing.length ?? 0), receipt?.returned ?? 0];
}

/** Expects all rows to be counted, however many the result keeps. */
function expectCounted(layout: Layout, rows: readonly Row[], fewest = 0): void {
  const count = rows.length;
  for (const kept of [
    rows,
    rows.slice(0, -1),
    rows.filter((_, at) => at % 2 === 1),
    rows.slice(2, 5),
    rows.slice(0, fewest),
  ])
    expect(countOf(layout, rows, kept), `${kept.length} kept`).toEqual([count, kept.length]);
}

type Cells = [number, string, { align?: "right" }?][];

function lay(lines: readonly Cells[]): Layout {
  const maker = new PageMaker().text(1, 0.5, "Overview of the year");
  for (const [at, cells] of lines.entries())
    for (const [x, text, look] of cells) maker.text(x, 1 + at * 0.2, text, look ?? {});
  return maker.layout();
}

const PEOPLE = ["Anna Ruiz", "Ben Okafor", "Carla Mendes", "David Lind", "Elena Petrova", "Farid Haddad"];
const stores = (count: number): Row[] =>
  linesOf(count).map(({ name, amount }) => ({ store: name.replace("Hinge", "Porto"), sales: amount }));
const pair = ({ store, sales }: Row, by = 0): Cells => [
  [1 + by, String(store)],
  [4 + by, Number(sales).toFixed(2), { align: "right" }],
];
const TOTAL = (rows: readonly Row[]): Cells =>
  pair({ store: "Total", sales: rows.reduce((sum, { sales }) => sum + Number(sales), 0) });

describe("reconcile, by the shape of the list", () => {
  it("counts label-value pairs below headings, however few are returned", () => {
    const rows = stores(20);
    const heads: Cells = [
      [1, "Store"],
      [4, "Sales", { align: "right" }],
    ];
    expectCounted(lay([heads, ...rows.map((row) => pair(row))]), rows);
  });

  it("counts sections with totals of their own, even where whole sections are lost", () => {
    const rows = stores(24);
    const sections = [rows.slice(0, 8), rows.slice(8, 16), rows.slice(16)];
    const layout = lay(
      sections.flatMap((own, at): Cells[] => [[[1, `Region ${at}`]], ...own.map((row) => pair(row)), TOTAL(own)]),
    );
    expectCounted(layout, rows);
    expect(countOf(layout, rows, rows.slice(8))).toEqual([24, 16]);
  });

  it("counts lines with the same separators", () => {
    const rows = PEOPLE.map((name, at) => ({ name, phone: `+49 30 55${100 + at}`, email: `p${at}@example.org` }));
    expectCounted(lay(rows.map((row): Cells => [[1, Object.values(row).join(" - ")]])), rows);
  });

  it("counts cards of labelled lines", () => {
    const rows = PEOPLE.map((customer, at) => ({ order: `A-${2000 + at * 3}`, customer, total: 50.5 + at * 7 }));
    const lines = rows.flatMap(({ order, customer, total }): Cells[] => [
      [[1, `Order: ${order}`]],
      [[1, `Customer: ${customer}`]],
      [[1, `Total: ${total.toFixed(2)}`]],
      [],
    ]);
    expectCounted(lay(lines), rows);
  });

  it("counts words in columns; the first line is a heading if it names the list's fields", () => {
    const rows = PEOPLE.map((name, at) => ({
      name,
      role: ["Clerk", "Buyer"][at % 2] ?? "",
      city: ["Gent", "Turin", "Cork"][at % 3] ?? "",
    }));
    const place = (texts: readonly string[]): Cells => texts.map((text, at) => [1 + at * 2, text]);
    expectCounted(lay([["Name", "Role", "City"], ...rows.map((row) => Object.values(row))].map(place)), rows);
  });

  it("counts newspaper columns; a whole line is a row if items have all of its values", () => {
    const rows = stores(16);
    const lines = rows.slice(0, 8).map((row, at): Cells => [...pair(row), ...pair(rows[at + 8] ?? {}, 3.5)]);
    expectCounted(lay(lines), rows);
    const wide = rows.slice(0, 8).map((row, at) => {
      const other = rows[at + 8] ?? {};
      return { ...row, agent: other.store ?? "", paid: other.sales ?? 0 };
    });
    expectCounted(lay(lines), wide, 2);
  });

  it("counts rows of different shapes whose amounts add up to the printed net total", () => {
    const rows = [
      { what: "Website redesign", many: "18 h", amount: 1170 },
      { what: "Hosting", many: "1", amount: 120 },
      { what: "Stock photos", many: "4 pcs", amount: 50 },
    ];
    const line = ({ what, many, amount }: Row): Cells => [
      [1, String(what)],
      [4, String(many), { align: "right" }],
      [6, Number(amount).toFixed(2), { align: "right" }],
    ];
    const sums: Cells[] = [
      ["Net", 1340],
      ["VAT 20%", 268],
    ].map(
      ([label, value]): Cells => [
        [1, String(label)],
        [6, Number(value).toFixed(2), { align: "right" }],
      ],
    );
    const layout = lay([...rows.map(line), ...sums]);
    for (const kept of [rows, rows.slice(1), rows.slice(0, 1)])
      expect(countOf(layout, rows, kept)).toEqual([3, kept.length]);
  });

  it("counts numbered lines of which none is returned", () => {
    const rows = PEOPLE.map((name, at) => ({ number: at + 1, text: `${name} shall deliver within ${10 + at} days` }));
    expectCounted(lay(rows.map(({ number, text }): Cells => [[1, `${number}. ${text}`]])), rows);
  });
});

describe("reconcile, without a list on the page", () => {
  it("counts no rows in a block of sums with taxes", () => {
    const lines = [
      ["Net", 100],
      ["VAT 7%", 2.1],
      ["VAT 19%", 13.3],
      ["Amount due", 115.4],
    ].map(([label, value]) => pair({ store: label ?? "", sales: value ?? 0 }));
    const taxes = [
      { store: "VAT 7%", sales: 2.1 },
      { store: "VAT 19%", sales: 13.3 },
    ];
    expect(countOf(lay(lines), taxes, taxes)).toEqual([2, 2]);
  });
});
