import { describe, expect, it } from "vitest";
import type { StatedLimit } from "../../../../functions/engine/extraction/answers/stated-limits.ts";
import { isSumRow } from "../../../../functions/engine/structure/records/sum-rows.ts";
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

describe("reconcile, with the rows of a table", () => {
  const layout = pagesOf(rows(0, 12), rows(12, 20));

  it("reports nothing for a complete result", () => {
    expect(receiptsOf(layout, without(20))).toEqual([
      {
        path: "/lines",
        counted: true,
        restricted: false,
        said: [],
        returned: 20,
        unplaced: 0,
        missing: [],
        repeated: [],
        empty: [],
      },
    ]);
  });

  it("reports missing rows with page, box and index in the list", () => {
    const [receipt] = receiptsOf(layout, without(20, 3, 15));
    expect(receipt?.returned).toBe(18);
    expect(receipt?.missing).toMatchObject([
      { page: 1, text: row(3).join(" | "), list: "/lines", at: 3 },
      { page: 2, text: row(15).join(" | "), list: "/lines", at: 14 },
    ]);
    expect(receipt?.missing[0]?.box.top).toBeGreaterThan(4);
  });

  it("reports all rows of a missing page, and of an empty result", () => {
    expect(missingOf(layout, { lines: linesOf(12) })).toHaveLength(8);
    // No item stands on a row: the headings identify the list.
    expect(missingOf(layout, { lines: [] })).toHaveLength(20);
    expect(missingOf(layout, {})).toHaveLength(20);
  });

  it("does not count subtotals, headings and continuation lines", () => {
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

  it("counts rows for the list whose items have them", () => {
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

  it("assigns missing rows to the list of their section", () => {
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

describe("reconcile, with the items of a result", () => {
  const layout = pagesOf(rows(0, 10));

  it("reports items returned twice, which replace no missing row", () => {
    const lines = without(10, 7).lines;
    const [receipt] = receiptsOf(layout, { lines: [...lines, lineOf(2)] });
    expect(receipt?.repeated).toEqual(["/lines/9"]);
    expect(receipt?.returned).toBe(9);
    expect(receipt?.missing.map(({ text }) => text)).toEqual([row(7).join(" | ")]);
  });

  it("accepts equal items as often as the page prints them", () => {
    const twice = pagesOf([...rows(0, 4), row(1), ...rows(4, 6)]);
    const lines = [...linesOf(4), lineOf(1), ...linesOf(6).slice(4)];
    expect(receiptsOf(twice, { lines })[0]).toMatchObject({ returned: 7, missing: [], repeated: [] });
    expect(missingOf(twice, { lines: linesOf(6) })).toEqual([row(1).join(" | ")]);
  });

  /** The same rows, recognised in a picture. */
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

  it.each(standIns)("matches no row with items that %s", (_, item) => {
    for (const of of [layout, recognised(layout)]) {
      const lines = [...linesOf(2), ...Array.from({ length: 8 }, (__, at) => item(at + 2))];
      const [receipt] = receiptsOf(of, { lines } as Json);
      expect(receipt).toMatchObject({ returned: 2, unplaced: 8, missing: { length: 8 } });
    }
  });

  it("matches misread items of which half of the values are printed", () => {
    const lines: Json[] = [...linesOf(10)];
    lines[4] = { ...lineOf(4), sku: "KX-9999", amount: 8_888.88 };
    expect(receiptsOf(layout, { lines })[0]).toMatchObject({ returned: 10, unplaced: 0, missing: [] });
    lines[4] = { sku: "KX-IO2B", name: "Beariny E4", quantity: 3, amount: 8_888.88 };
    expect(receiptsOf(recognised(layout), { lines })[0]).toMatchObject({ returned: 10, unplaced: 0, missing: [] });
    // One item in fifty may match its row by a single value.
    lines[4] = { sku: "KX-1O2B", name: "garbled beyond use", quantity: 77, amount: 8_888.88 };
    lines[7] = { sku: "KX-1O4q", name: "spoiled and smudged", quantity: 66, amount: 7_777.77 };
    expect(missingOf(recognised(layout), { lines })).toEqual([row(7).join(" | ")]);
    expect(missingOf(layout, { lines })).toEqual([row(4).join(" | "), row(7).join(" | ")]);
  });

  it("reports items without values, to be removed", () => {
    const lines = [lineOf(0), NOTHING, ...linesOf(10).slice(1)];
    expect(receiptsOf(layout, { lines } as Json)[0]).toMatchObject({ empty: ["/lines/1"], returned: 10, missing: [] });
  });

  it("does not count the rows of a copied table again", () => {
    const copied = pagesOf(rows(0, 8), rows(0, 8));
    expect(missingOf(copied, without(8))).toEqual([]);
    expect(missingOf(copied, without(8, 2))).toHaveLength(1);
  });
});

describe("reconcile, with a restriction of the rows", () => {
  const layout = pagesOf(rows(0, 10));
  const ask = (prompt: string, stated: StatedLimit[] = []) =>
    receiptsOf(layout, without(10, 1, 2, 3), { schema: SCHEMA, prompt, stated })[0];

  it("lacks the rows that a model did not reject by a criterion that it quotes", () => {
    const prompt = "Please read all. Only lines with an amount over 20";
    const stated = [{ list: "/lines", reason: "Only lines with an amount over 20" }];
    const receipt = ask(prompt, stated);
    expect(receipt).toMatchObject({ restricted: true, said: [stated[0]?.reason], missing: { length: 3 } });
    const declined = receipt?.missing.slice(1).map(({ order }) => order) ?? [];
    const [left] = receiptsOf(layout, without(10, 1, 2, 3), { schema: SCHEMA, prompt, stated, declined });
    expect(left?.missing.map(({ text }) => text)).toEqual([row(1).join(" | ")]);
    // Rows that look like the list's own are lacking whatever a model says without a quotation.
    const invented = [{ list: "/lines", reason: "Only lines with an amount over 30" }];
    const [whole] = receiptsOf(layout, without(10, 1, 2, 3), { schema: SCHEMA, prompt, stated: invented, declined });
    expect(whole).toMatchObject({ restricted: false, missing: { length: 3 } });
  });

  it.each([
    ["the first 7 rows", [1, 2, 3]],
    ["Extract the first 2 items", [1]],
    ["Only the last 6 rows", []],
    ["Only the last 9 rows", [1, 2, 3]],
    ["Return at most 8 rows", [1]],
    ["only items on page 1", [1, 2, 3]],
    ["only items on page 2", []],
  ] as [string, number[]][])("applies a counted limit: %s", (prompt, gone) => {
    expect(ask(prompt)?.restricted).toBe(true);
    expect(ask(prompt)?.missing.map(({ text }) => text)).toEqual(gone.map((at) => row(at).join(" | ")));
  });

  it.each([
    "Extract all line items",
    "Only items over 100 EUR",
    "Answer only with JSON",
    "Bitte alle Positionen der Lieferung auslesen",
    "Amounts without currency, dates as ISO",
    "Get every row of the table, the description in full",
  ])("applies no restriction for the prompt: %s", (prompt) => {
    expect(ask(prompt)?.restricted).toBe(false);
  });

  it("applies maxItems and restricted values of the schema", () => {
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

  it("does not apply the schema's choices to an empty result", () => {
    const list = itemsWith({ sku: { type: "string" }, name: { enum: ["A", "B"] }, amount: { type: "number" } });
    expect(receiptsOf(layout, { lines: [] }, { schema: list })[0]).toMatchObject({
      restricted: false,
      missing: { length: 10 },
    });
  });

  it("accepts rows that a model declined, unless they look like matched rows", () => {
    const mixed = pagesOf([...rows(0, 6), ["", "Freight", "1", "9.90"], ...rows(6, 9)]);
    const lines = without(9).lines;
    // Too few items stand there for the rows to be the list's.
    expect(missingOf(mixed, { lines })).toEqual([]);
    const [receipt] = receiptsOf(layout, without(10, 5));
    const declined = receipt?.missing.map(({ order }) => order) ?? [];
    expect(missingOf(layout, without(10, 5), { schema: SCHEMA, declined })).toHaveLength(1);
  });
});

describe("reconcile, with rows outside tables", () => {
  /** Lines in columns that only their positions identify. */
  function aligned(count: number): Layout {
    const maker = new PageMaker().text(1, 0.6, "Your order in short");
    for (const [at, { sku, name, quantity, amount }] of linesOf(count).entries()) {
      const y = 1.5 + at * 0.25;
      maker.text(1, y, sku).text(2.2, y, name).text(4.5, y, String(quantity), { align: "right" });
      maker.text(6, y, amount.toFixed(2), { align: "right" });
    }
    return maker.layout();
  }

  it("counts rows by their columns", () => {
    expect(missingOf(aligned(8), without(8))).toEqual([]);
    expect(missingOf(aligned(8), without(8, 0, 4))).toHaveLength(2);
  });

  it("counts rows by running numbers", () => {
    const texts = linesOf(6).map(({ sku, name }, at) => `${at + 1}. ${name} of series ${sku}`);
    const layout = new PageMaker().lines(1, 1, ["What was found:", ...texts]).layout();
    const findings = linesOf(6).map(({ sku, name }) => ({ name, sku }));
    expect(missingOf(layout, { findings }, {})).toEqual([]);
    expect(missingOf(layout, { findings: findings.filter((_, at) => at !== 2) }, {})).toEqual([texts[2]]);
  });

  it("counts no rows for a list of other things", () => {
    const parties = [{ name: "Kestrel Supply Works", city: "Leeds" }];
    expect(receiptsOf(aligned(8), { parties }, {})[0]).toMatchObject({ counted: false, missing: [] });
  });
});

describe("isSumRow", () => {
  it("recognises subtotal words in several languages", () => {
    for (const text of [
      "Total",
      "Subtotal",
      "Zwischensumme",
      "Übertrag auf Seite 2",
      "Total HT",
      "Totaal incl. btw",
      "Carried forward",
    ])
      expect(isSumRow([text, "12.00"]), text).toBe(true);
    for (const text of ["Total station, used", "Report on soil", "Sum of parts kit", "Transport to Leeds"])
      expect(isSumRow([text, "12.00"]), text).toBe(false);
  });
});

describe("reconcile, with random losses", () => {
  it("counts every loss exactly", () => {
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

  it("never throws, whatever the result", () => {
    const layout = pagesOf(rows(0, 5));
    const odd: Json[] = [null, 3, [], [[]], { lines: null }, { lines: [null, 3, "x", [1, 2]] }, { lines: { a: [{}] } }];
    for (const data of odd) expect(Array.isArray(receiptsOf(layout, data))).toBe(true);
  });
});
