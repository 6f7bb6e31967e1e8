import { describe, expect, it } from "vitest";
import { isSubtotalRow } from "../../../../functions/engine/completeness/subtotal-rows.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { Layout } from "../../../../functions/ports/layout.ts";
import { PageMaker } from "../extraction/page.ts";
import { Random } from "../extraction/prng.ts";
import { type Line, lineOf, linesOf, missingOf, pagesOf, printed, receiptsOf, SCHEMA } from "./tables.ts";

const row = (at: number): string[] => printed(lineOf(at));
const rows = (from: number, to: number): string[][] => linesOf(to).slice(from).map(printed);
const without = (count: number, ...gone: number[]): { lines: Line[] } => ({
  lines: linesOf(count).filter((_, at) => !gone.includes(at)),
});
const itemsWith = (more: Json, list: Json = {}): Json => ({
  type: "object",
  properties: { lines: { type: "array", ...(list as object), items: { type: "object", properties: more } } },
});

describe("rows of a table", () => {
  const layout = pagesOf(rows(0, 12), rows(12, 20));

  it("are all there in a complete result", () => {
    expect(receiptsOf(layout, without(20))).toEqual([
      {
        path: "/lines",
        counted: true,
        restricted: false,
        excused: false,
        said: [],
        returned: 20,
        unplaced: 0,
        missing: [],
        repeated: [],
        empty: [],
      },
    ]);
  });

  it("that are missing are named with page, box and place in the list", () => {
    const [receipt] = receiptsOf(layout, without(20, 3, 15));
    expect(receipt?.returned).toBe(18);
    expect(receipt?.missing).toMatchObject([
      { page: 1, text: row(3).join(" | "), list: "/lines", at: 3 },
      { page: 2, text: row(15).join(" | "), list: "/lines", at: 14 },
    ]);
    expect(receipt?.missing[0]?.box.top).toBeGreaterThan(4);
  });

  it("are missing by pages, and all of them", () => {
    expect(missingOf(layout, { lines: linesOf(12) })).toHaveLength(8);
    // Nothing stands anywhere: the headings tell whose rows they are.
    expect(missingOf(layout, { lines: [] })).toHaveLength(20);
    expect(missingOf(layout, {})).toHaveLength(20);
  });

  it("are none where they sum up, head or go on", () => {
    const sums = pagesOf(
      [...rows(0, 5), ["", "Subtotal", "", "31.20"], ["", "Carried forward", "", "31.20"]],
      [
        ["", "Brought forward", "", "31.20"],
        ...rows(5, 9),
        ["", "packed in boxes of fifty", "", ""],
        ["", "Total", "", "80.10"],
      ],
    );
    expect(missingOf(sums, without(9))).toEqual([]);
    expect(missingOf(sums, without(9, 6))).toEqual([row(6).join(" | ")]);
  });

  it("are other lists' where those have them", () => {
    const [debits, credits] = [linesOf(6), linesOf(12).slice(6)];
    const schema: Json = {
      type: "object",
      properties: { debits: (SCHEMA as never as { properties: { lines: Json } }).properties.lines, credits: {} },
    };
    const both = pagesOf(rows(0, 6), rows(6, 12));
    const receipts = receiptsOf(both, { debits, credits: credits.slice(1) } as never, { schema });
    expect(receipts.map(({ path, missing }) => [path, missing.length])).toEqual([
      ["/debits", 0],
      ["/credits", 1],
    ]);
  });

  it("go into the list of the section that they stand in", () => {
    const sections = [{ lines: linesOf(12).slice(0, 11) }, { lines: linesOf(20).slice(13) }];
    const receipts = receiptsOf(layout, { sections }, {});
    expect(receipts).toHaveLength(1);
    expect(receipts[0]?.path).toBe("/sections/*/lines");
    expect(receipts[0]?.missing.map(({ list, at }) => [list, at])).toEqual([
      ["/sections/0/lines", 11],
      ["/sections/1/lines", 0],
    ]);
  });
});

describe("items", () => {
  const layout = pagesOf(rows(0, 10));

  it("that are returned twice are noticed, and do not stand in for others", () => {
    const lines = without(10, 7).lines;
    const [receipt] = receiptsOf(layout, { lines: [...lines, lineOf(2)] });
    expect(receipt?.repeated).toEqual(["/lines/9"]);
    expect(receipt?.returned).toBe(9);
    expect(receipt?.missing.map(({ text }) => text)).toEqual([row(7).join(" | ")]);
  });

  it("are printed twice where they are", () => {
    const twice = pagesOf([...rows(0, 4), row(1), ...rows(4, 6)]);
    const lines = [...linesOf(4), lineOf(1), ...linesOf(6).slice(4)];
    expect(receiptsOf(twice, { lines })[0]).toMatchObject({ returned: 7, missing: [], repeated: [] });
    expect(missingOf(twice, { lines: linesOf(6) })).toEqual([row(1).join(" | ")]);
  });

  /** The same rows, as they are recognised in a picture. */
  const recognised = (of: Layout): Layout =>
    JSON.parse(JSON.stringify(of), (key, value) =>
      key === "words" ? value.map((word: object) => ({ ...word, source: "ocr", confidence: 0.8 })) : value,
    );
  const made = (at: number): Line => ({ sku: `ZZ-9${at}`, name: `Made up ${at}`, quantity: 77, amount: 8_000.5 + at });
  const NOTHING: Json = { sku: null, name: null, quantity: null, amount: null };
  const standIns: [string, (at: number) => Json][] = [
    ["say nothing", () => NOTHING],
    ["are empty", () => ({})],
    ["hold a place", () => ({ sku: "...", name: "...", quantity: 0, amount: 0 })],
    ["are made up", made],
    ["have one number of many", (at) => ({ ...(NOTHING as object), quantity: 1 + ((at * 5) % 9) })],
  ];

  it.each(standIns)("that %s stand in for none", (_, item) => {
    for (const of of [layout, recognised(layout)]) {
      const lines = [...linesOf(2), ...Array.from({ length: 8 }, (__, at) => item(at + 2))];
      const [receipt] = receiptsOf(of, { lines } as Json);
      expect(receipt).toMatchObject({ returned: 2, unplaced: 8, missing: { length: 8 } });
    }
  });

  it("that were misread stand in for their rows: half of their values are printed", () => {
    const lines: Json[] = [...linesOf(10)];
    lines[4] = { ...lineOf(4), sku: "KX-9999", amount: 8_888.88 };
    expect(receiptsOf(layout, { lines })[0]).toMatchObject({ returned: 10, unplaced: 0, missing: [] });
    lines[4] = { sku: "KX-IO2B", name: "Beariny E4", quantity: 3, amount: 8_888.88 };
    expect(receiptsOf(recognised(layout), { lines })[0]).toMatchObject({ returned: 10, unplaced: 0, missing: [] });
    // A row that is like it in one value is believed once in fifty.
    lines[4] = { sku: "KX-1O2B", name: "garbled beyond use", quantity: 77, amount: 8_888.88 };
    lines[7] = { sku: "KX-1O4q", name: "spoiled and smudged", quantity: 66, amount: 7_777.77 };
    expect(missingOf(recognised(layout), { lines })).toEqual([row(7).join(" | ")]);
    expect(missingOf(layout, { lines })).toEqual([row(4).join(" | "), row(7).join(" | ")]);
  });

  it("that say nothing are told, to be taken out", () => {
    const lines = [lineOf(0), NOTHING, ...linesOf(10).slice(1)];
    expect(receiptsOf(layout, { lines } as Json)[0]).toMatchObject({ empty: ["/lines/1"], returned: 10, missing: [] });
  });

  it("of a copy of the table are no further rows", () => {
    const copied = pagesOf(rows(0, 8), rows(0, 8));
    expect(missingOf(copied, without(8))).toEqual([]);
    expect(missingOf(copied, without(8, 2))).toHaveLength(1);
  });
});

describe("a part of the rows", () => {
  const layout = pagesOf(rows(0, 10));
  const ask = (prompt: string, data: Json = without(10, 1, 2, 3)) =>
    receiptsOf(layout, data, { schema: SCHEMA, prompt })[0];

  it.each([
    "Only items over 100 EUR",
    "Extract the lines, except those that were cancelled",
    "nur Positionen über 50 Euro",
    "uniquement les lignes avec remise",
    "lines with an amount of more than 20",
    "rows whose quantity is above 5",
  ])("is asked for by: %s", (prompt) => {
    expect(ask(prompt)).toMatchObject({ restricted: true, excused: true, said: [prompt], missing: { length: 3 } });
    const declined = ask(prompt)?.missing.map(({ order }) => order) ?? [];
    expect(receiptsOf(layout, without(10, 1, 2, 3), { schema: SCHEMA, prompt, declined })[0]?.missing).toEqual([]);
  });

  it.each([
    ["the first 7 rows", [1, 2, 3]],
    ["Extract the first 2 items", [1]],
    ["Only the last 6 rows", []],
    ["Only the last 9 rows", [1, 2, 3]],
    ["Return at most 8 rows", [1]],
    ["only items on page 1", [1, 2, 3]],
    ["only items on page 2", []],
  ] as [string, number[]][])("can be counted: %s", (prompt, gone) => {
    expect(ask(prompt)).toMatchObject({ restricted: true, excused: false });
    expect(ask(prompt)?.missing.map(({ text }) => text)).toEqual(gone.map((at) => row(at).join(" | ")));
  });

  it.each([
    "Extract all line items",
    "Answer only with JSON",
    "Bitte alle Positionen der Lieferung auslesen",
    "Amounts without currency, dates as ISO",
    "Get every row of the table, the description in full",
  ])("is not asked for by: %s", (prompt) => {
    expect(ask(prompt)?.restricted).toBe(false);
  });

  it("is what the schema takes: as many items, and such", () => {
    const amount = { amount: { type: "number", minimum: 10 }, sku: { type: "string" }, name: { type: "string" } };
    const large = { lines: linesOf(10).filter(({ amount: value }) => value >= 10) };
    expect(large.lines.length).toBeLessThan(10);
    expect(missingOf(layout, large, { schema: itemsWith(amount) })).toEqual([]);
    expect(missingOf(layout, { lines: large.lines.slice(1) }, { schema: itemsWith(amount) })).toHaveLength(1);
    const most = itemsWith({ sku: { type: "string" }, name: { type: "string" } }, { maxItems: 3 });
    expect(receiptsOf(layout, { lines: linesOf(3) }, { schema: most })[0]?.restricted).toBe(true);
    expect(receiptsOf(layout, { lines: linesOf(2) }, { schema: most })[0]?.missing).toHaveLength(1);
    expect(receiptsOf(pagesOf(rows(0, 3)), { lines: linesOf(3) }, { schema: most })[0]?.restricted).toBe(false);
  });

  it("is not what a schema of choices takes, where nothing was returned", () => {
    const list = itemsWith({ sku: { type: "string" }, name: { enum: ["A", "B"] }, amount: { type: "number" } });
    expect(receiptsOf(layout, { lines: [] }, { schema: list })[0]).toMatchObject({
      restricted: false,
      missing: { length: 10 },
    });
  });

  it("is what is left of rows that a model said to be none, unless they look like the others", () => {
    const mixed = pagesOf([...rows(0, 6), ["", "Freight", "1", "9.90"], ...rows(6, 9)]);
    const lines = without(9).lines;
    // Too little of it is there to be a row of the list in the first place.
    expect(missingOf(mixed, { lines })).toEqual([]);
    const [receipt] = receiptsOf(layout, without(10, 5));
    const declined = receipt?.missing.map(({ order }) => order) ?? [];
    expect(missingOf(layout, without(10, 5), { schema: SCHEMA, declined })).toHaveLength(1);
  });
});

describe("rows that no table holds", () => {
  /** Lines in columns that only their places tell. */
  function aligned(count: number): Layout {
    const maker = new PageMaker().text(1, 0.6, "Your order in short");
    for (const [at, { sku, name, quantity, amount }] of linesOf(count).entries()) {
      const y = 1.5 + at * 0.25;
      maker.text(1, y, sku).text(2.2, y, name).text(4.5, y, String(quantity), { align: "right" });
      maker.text(6, y, amount.toFixed(2), { align: "right" });
    }
    return maker.layout();
  }

  it("are counted by their columns", () => {
    expect(missingOf(aligned(8), without(8))).toEqual([]);
    expect(missingOf(aligned(8), without(8, 0, 4))).toHaveLength(2);
  });

  it("are counted by running numbers", () => {
    const texts = linesOf(6).map(({ sku, name }, at) => `${at + 1}. ${name} of series ${sku}`);
    const layout = new PageMaker().lines(1, 1, ["What was found:", ...texts]).layout();
    const findings = linesOf(6).map(({ sku, name }) => ({ name, sku }));
    expect(missingOf(layout, { findings }, {})).toEqual([]);
    expect(missingOf(layout, { findings: findings.filter((_, at) => at !== 2) }, {})).toEqual([texts[2]]);
  });

  it("are none of a list that speaks of something else", () => {
    const parties = [{ name: "Kestrel Supply Works", city: "Leeds" }];
    expect(receiptsOf(aligned(8), { parties }, {})[0]).toMatchObject({ counted: false, missing: [] });
  });
});

describe("sums", () => {
  it("are told by their words, in several languages", () => {
    for (const text of [
      "Total",
      "Subtotal",
      "Zwischensumme",
      "Übertrag auf Seite 2",
      "Total HT",
      "Totaal incl. btw",
      "Carried forward",
    ])
      expect(isSubtotalRow([text, "12.00"]), text).toBe(true);
    for (const text of ["Total station, used", "Report on soil", "Sum of parts kit", "Transport to Leeds"])
      expect(isSubtotalRow([text, "12.00"]), text).toBe(false);
  });
});

describe("any loss", () => {
  it("is counted exactly", () => {
    const random = new Random(11);
    for (let round = 0; round < 30; round += 1) {
      const count = 3 + Math.floor(random.next() * 30);
      const pages = Array.from({ length: Math.ceil(count / 9) }, (_, at) => rows(at * 9, Math.min(count, at * 9 + 9)));
      const drop = random.next();
      const kept = linesOf(count).filter(() => random.next() >= drop);
      const [receipt] = receiptsOf(pagesOf(...pages), { lines: kept });
      expect((receipt?.missing.length ?? 0) + kept.length, `${count} rows, ${kept.length} kept`).toBe(count);
    }
  });

  it("never makes it throw, however odd the result", () => {
    const layout = pagesOf(rows(0, 5));
    const odd: Json[] = [null, 3, [], [[]], { lines: null }, { lines: [null, 3, "x", [1, 2]] }, { lines: { a: [{}] } }];
    for (const data of odd) expect(Array.isArray(receiptsOf(layout, data))).toBe(true);
  });
});
