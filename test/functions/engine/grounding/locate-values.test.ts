import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import { LAYOUT_VERSION, type Layout, type Line } from "../../../../functions/ports/layout.ts";
import { PageMaker } from "../extraction/page.ts";
import { Random } from "../extraction/prng.ts";
import { leavesOf, locateIn, wordsAt } from "./located.ts";

const SCALARS: Json[] = [
  "Total",
  "12.50",
  12.5,
  0,
  -1,
  true,
  false,
  null,
  "",
  " ",
  "2024-01-31",
  "x",
  "€",
  "Müller & Co",
  1e300,
  "\u0000",
];
const NAMES = ["total", "date", "a/b", "x~y", "", "__proto__", "items", "paid", "constructor"];

function randomJson(random: Random, depth: number): Json {
  const kind = depth > 4 ? 0 : random.int(0, 3);
  if (kind === 1) return Array.from({ length: random.int(0, 4) }, () => randomJson(random, depth + 1));
  if (kind === 2)
    return Object.fromEntries(
      Array.from({ length: random.int(0, 4) }, () => [random.pick(NAMES), randomJson(random, depth + 1)]),
    );
  return random.pick(SCALARS);
}

function randomLayout(random: Random): Layout {
  const page = new PageMaker();
  for (let count = random.int(0, 25); count > 0; count -= 1)
    page.text(
      random.int(1, 6),
      random.int(1, 40) / 4,
      random.pick(["Total 12.50", "Müller & Co", "Date 31.01.2024", "x x x", "€", "☒ Paid", "12,50 €"]),
    );
  return page.layout();
}

describe("locateValues, for every leaf", () => {
  it("lists it in exactly one of locations and unresolved, whatever the result", () => {
    const random = new Random(20);
    for (let round = 0; round < 100; round += 1) {
      const [layout, data] = [randomLayout(random), randomJson(random, 0)];
      const { sources, facts } = locateIn(layout, data);
      const placed = [...Object.keys(sources.locations), ...sources.unresolved.map(({ pointer }) => pointer)];
      expect(placed.sort()).toEqual(leavesOf(data).sort());
      expect(facts.found + facts.unresolved).toBe(placed.length);
      for (const { confidence, pageAnchors, sourceRefs } of Object.values(sources.locations)) {
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
        expect(pageAnchors.length).toBeGreaterThan(0);
        expect(sourceRefs.length).toBeGreaterThan(0);
      }
      expect(locateIn(layout, data)).toEqual({ sources, facts });
    }
  });

  it("gives the reason of an unresolved leaf", () => {
    const schema = {
      type: "object",
      properties: { sum: { type: "number", "x-calculated": "a+b" }, kind: { const: "invoice" } },
    };
    const layout = new PageMaker().text(1, 1, "12.50 and 25.00").layout();
    const data = { a: null, b: {}, c: [], d: "", sum: 25, total: 12.5, kind: "invoice", other: "nothing" };
    const { unresolved } = locateIn(layout, data, { schema: parseSchema(schema), calculated: ["/total"] }).sources;
    expect(Object.fromEntries(unresolved.map(({ pointer, reason }) => [pointer, reason]))).toEqual({
      "/a": "null-value",
      "/b": "empty",
      "/c": "empty",
      "/d": "empty",
      "/sum": "derived",
      "/total": "derived",
      "/kind": "constant",
      "/other": "not-found",
    });
  });

  it("returns the whole block for block granularity", () => {
    const layout = new PageMaker().lines(1, 1, ["Alpha GmbH", "Lindenweg 4"]).layout();
    const { sources } = locateIn(layout, { street: "Lindenweg 4" }, { granularity: "block" });
    expect(sources.granularity).toBe("block");
    expect(sources.locations["/street"]).toMatchObject({ resolution: "block" });
    expect(sources.locations["/street"]?.pageAnchors[0]?.bbox.top).toBeCloseTo(1, 2);
  });
});

/** An invoice with random values in its usual layout. */
function randomInvoice(random: Random): Layout {
  const money = (value: number): string => value.toFixed(2);
  const page = new PageMaker()
    .text(1, 0.5, `${random.pick(["Alpha", "Beta", "Gamma"])} Trading Ltd`, { size: 16 })
    .text(5, 0.5, "Invoice")
    .text(5, 1, `Invoice number: INV-${random.int(1000, 9999)}`)
    .text(5, 1.3, `Invoice date: ${random.int(10, 28)} March 2024`)
    .lines(1, 2, ["Bill to:", "Delta Works Inc", "7 Elm Street"])
    .text(1, 3.5, "Description")
    .text(4, 3.5, "Qty")
    .text(5, 3.5, "Unit price")
    .text(7.5, 3.5, "Amount", { align: "right" });
  let net = 0;
  const count = random.int(2, 8);
  for (let row = 0; row < count; row += 1) {
    const [quantity, price] = [random.int(1, 9), random.int(100, 9999) / 100];
    net += quantity * price;
    const top = 3.8 + row * 0.25;
    page.text(1, top, random.pick(["Paper A4", "Ink black", "Desk lamp", "Chair"])).text(4, top, String(quantity));
    page.text(5, top, money(price)).text(7.5, top, money(quantity * price), { align: "right" });
  }
  const tax = Math.round(net * 20) / 100;
  for (const [index, [label, value]] of (
    [
      ["Subtotal", net],
      ["VAT 20%", tax],
      ["Total", net + tax],
    ] as const
  ).entries())
    page.text(5, 7 + index * 0.3, label).text(7.5, 7 + index * 0.3, money(value), { align: "right" });
  return page.layout();
}

describe("locateValues, for values of the offline extractor", () => {
  it("finds the same words", () => {
    const member = (type: string): Json => ({ type });
    const schema = {
      type: "object",
      properties: {
        invoice_number: member("string"),
        invoice_date: { type: "string", format: "date" },
        buyer: member("string"),
        net_total: member("number"),
        tax_total: member("number"),
        gross_total: member("number"),
        items: {
          type: "array",
          items: {
            type: "object",
            properties: {
              description: member("string"),
              quantity: member("number"),
              unit_price: member("number"),
              amount: member("number"),
            },
          },
        },
      },
    };
    const random = new Random(4);
    let compared = 0;
    for (let round = 0; round < 20; round += 1) {
      const layout = randomInvoice(random);
      const offline = extractOffline(layout, { schema: parseSchema(schema), granularity: "word" });
      const { locations } = locateIn(layout, offline.result, { schema: parseSchema(schema) }).sources;
      for (const [pointer, location] of Object.entries(offline.sources.locations)) {
        compared += 1;
        expect(wordsAt(layout, locations[pointer]), pointer).toBe(wordsAt(layout, location));
        expect(locations[pointer]?.pageAnchors, pointer).toEqual(location.pageAnchors);
      }
    }
    expect(compared).toBeGreaterThan(250);
  });
});

/** A page of words in lines of equal length. */
function fullPage(count: number, perLine: number, text: (at: number) => string): Layout {
  const height = 11 / Math.ceil(count / perLine);
  const lines: Line[] = [];
  for (let from = 0; from < count; from += perLine) {
    const top = (from / perLine) * height;
    const words = Array.from({ length: Math.min(perLine, count - from) }, (_, at) => {
      const left = (at * 8) / perLine;
      return { text: text(from + at), box: { left, top, right: left + 7 / perLine, bottom: top + height * 0.9 } };
    });
    lines.push({ box: { left: 0, top, right: 8, bottom: top + height }, words });
  }
  const box = { left: 0, top: 0, right: 8, bottom: 11 };
  const blocks = [{ kind: "paragraph" as const, box, lines }];
  const page = { number: 1, width: 8, height: 11, unit: "inch" as const, rotation: 0, blocks };
  return { v: LAYOUT_VERSION, provider: "test", logicalPages: false, pageCount: 1, pages: [page] };
}

/** Generous: the machine also runs other things. */
const SECONDS = 10_000;
const timed = (run: () => void): number => {
  const start = performance.now();
  run();
  return performance.now() - start;
};

describe("locateValues, with large and hostile input", () => {
  it("locates 3,000 rows of five columns in seconds, each on its own row", () => {
    const page = new PageMaker();
    const items = Array.from({ length: 3000 }, (_, at) => ({
      pos: at + 1,
      description: `Widget model ${at % 100}`,
      quantity: (at % 5) + 1,
      price: ((at * 7) % 113) + 0.5,
      amount: ((at % 5) + 1) * (((at * 7) % 113) + 0.5),
    }));
    const topOf = (at: number): number => 0.8 + (at % 30) * 0.3;
    for (const [at, { pos, description, quantity, price, amount }] of items.entries()) {
      if (at % 30 === 0 && at > 0) page.newPage();
      page.text(1, topOf(at), String(pos)).text(1.6, topOf(at), description).text(4.5, topOf(at), String(quantity));
      page.text(5.5, topOf(at), price.toFixed(2)).text(7.2, topOf(at), amount.toFixed(2), { align: "right" });
    }
    const layout = page.layout();
    let located = locateIn(new PageMaker().layout(), {});
    expect(
      timed(() => {
        located = locateIn(layout, { items });
      }),
    ).toBeLessThan(SECONDS);
    expect(located.facts).toMatchObject({ found: 15_000, unresolved: 0 });
    const strays = Object.entries(located.sources.locations).filter(([pointer, { pageAnchors }]) => {
      const at = Number(pointer.split("/")[2]);
      const [anchor] = pageAnchors;
      return anchor?.pageNumber !== Math.floor(at / 30) + 1 || Math.abs(anchor.bbox.top - topOf(at)) > 0.05;
    });
    expect(strays).toEqual([]);
  });

  it.each<[string, Layout, Json]>([
    [
      "50,000 equal words",
      fullPage(50_000, 500, () => "x"),
      { a: "x", b: "x x x y", c: Array.from({ length: 1000 }, () => ({ d: "x" })) },
    ],
    [
      "a label 20,000 times on one line",
      fullPage(20_000, 20_000, () => "Total"),
      { total: "Total", list: Array.from({ length: 500 }, () => "Total") },
    ],
    [
      "a text of millions",
      fullPage(20_000, 20, (at) => `w${at % 300}`),
      { a: "w1 w2 ".repeat(100_000), b: "a".repeat(3_000_000) },
    ],
    [
      "10,000 names",
      fullPage(10_000, 20, (at) => `w${at % 300}`),
      Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, `w${at % 300}`])),
    ],
    [
      "words that nearly match",
      fullPage(20_000, 20, (at) => `word${(at % 5000).toString(36)}`),
      Array.from({ length: 1000 }, (_, at) => `wond${at.toString(36)}q other ${at}`),
    ],
  ])("takes bounded time for %s", (_, layout, data) => {
    expect(timed(() => locateIn(layout, data))).toBeLessThan(SECONDS);
  });

  it("accepts a result nested 5,000 deep", () => {
    let data: Json = "x";
    for (let depth = 0; depth < 5000; depth += 1) data = depth % 2 === 0 ? { a: data } : [data];
    expect(
      locateIn(
        fullPage(10, 5, () => "x"),
        data,
      ).facts,
    ).toMatchObject({ found: 1, unresolved: 0 });
  });
});
