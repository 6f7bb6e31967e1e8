/** Line items that sums prove, against tables in the same place; and columns that arithmetic tells apart. */
import { describe, expect, it } from "vitest";
import { judgeResult } from "../../../../../../functions/engine/confidence/judge-result.ts";
import { buildContext } from "../../../../../../functions/engine/extraction/rules/document-context.ts";
import { extractOffline } from "../../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../../functions/ports/json.ts";
import type { Layout } from "../../../../../../functions/ports/layout.ts";
import { setBlock, setLayout, setTable } from "../../../../../support/typeset.ts";
import { PageMaker } from "../../page.ts";

const number: Json = { type: "number" };
const SCHEMA = parseSchema({
  type: "object",
  properties: {
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: { description: { type: "string" }, quantity: number, unit_price: number, amount: number },
      },
    },
  },
});

interface Item {
  description: string | null;
  quantity: number | null;
  unit_price: number | null;
  amount: number | null;
}

const extract = (layout: Layout) => extractOffline(layout, { schema: SCHEMA, granularity: "word" });
const itemsIn = (layout: Layout) =>
  (extract(layout).result as unknown as { lines: Item[] }).lines.map(
    ({ description, quantity, unit_price, amount }) => [description, quantity, unit_price, amount] as const,
  );

type Row = readonly [words: string, number?: string];

/** Recognised lines: words at the left, numbers at the right. */
function receipt(rows: readonly Row[], right = 4): PageMaker {
  const maker = new PageMaker();
  for (const [at, [words, amount]] of rows.entries()) {
    if (words !== "") maker.text(1, 1 + at * 0.2, words, { confidence: 0.8 });
    if (amount !== undefined) maker.text(right, 1 + at * 0.2, amount, { align: "right", confidence: 0.8 });
  }
  return maker;
}

describe("lines that a sum proves", () => {
  it("stand in place of rows below headings whose amounts no number of the page adds up", () => {
    const layout = receipt([
      ["Description", "Qty Price"],
      ["3 x", "75.10"],
      ["BURGER", "225.30"],
      ["4 x", "11.85"],
      ["COFFEE", "47.40"],
      ["Total", "272.70"],
    ]).layout();
    expect(itemsIn(layout)).toEqual([
      ["BURGER", 3, 75.1, 225.3],
      ["COFFEE", 4, 11.85, 47.4],
    ]);
  });

  it("say more of the same items than rows below headings", () => {
    const layout = receipt([
      ["Product", "Total"],
      ["1 Lemonade", "2.15"],
      ["2 Sandwich", "5.00"],
      ["1 Cake", "3.35"],
      ["Total", "10.50"],
    ]).layout();
    expect(itemsIn(layout)).toEqual([
      ["Lemonade", 1, null, 2.15],
      ["Sandwich", 2, null, 5],
      ["Cake", 1, null, 3.35],
    ]);
  });

  it("leave a table alone whose amounts are a sum of the page", () => {
    const table = setTable(
      [
        ["Description", "Quantity", "Unit price", "Amount"],
        ["Lamp", "2", "10.00", "20.00"],
        ["Cable", "3", "4.00", "12.00"],
        ["Total", "", "", "32.00"],
      ],
      1,
    );
    expect(itemsIn(setLayout([table]))).toEqual([
      ["Lamp", 2, 10, 20],
      ["Cable", 3, 4, 12],
    ]);
  });

  it("are surer than others of the same recognition", () => {
    const rows: Row[] = [
      ["Lemonade", "2.15"],
      ["Sandwich", "5.00"],
      ["Cake", "3.35"],
    ];
    const confidenceOf = (total: string): number => {
      const layout = receipt([...rows, ["Tea", "1.50"], ["Total", total]]).layout();
      const { result, sources } = extract(layout);
      const judged = judgeResult({ layout, result, schema: SCHEMA, sources, readBy: "rules" });
      return judged.sources.locations["/lines/1/amount"]?.confidence ?? 0;
    };
    expect(confidenceOf("12.00")).toBeGreaterThan(confidenceOf("12.90"));
  });
});

describe("columns of numbers", () => {
  const inTable = (rows: string[][]) => itemsIn(setLayout([setTable(rows, 1)]));

  it("are quantities where all are whole, however many zeros follow, and prices where they have cents", () => {
    expect(
      inTable([
        ["Nr", "Bezeichnung", "A", "B", "Betrag"],
        ["1", "Kamera, schwenkbar", "3,000", "16,90", "50,70"],
        ["2", "Halterung", "2,000", "26,80", "53,60"],
        ["3", "Kabel", "5,000", "8,15", "40,75"],
      ]),
    ).toEqual([
      ["Kamera, schwenkbar", 3, 16.9, 50.7],
      ["Halterung", 2, 26.8, 53.6],
      ["Kabel", 5, 8.15, 40.75],
    ]);
  });

  it("are prices where they are large and stand before the quantities", () => {
    expect(
      inTable([
        ["Pos", "Bezeichnung", "A", "B", "Betrag"],
        ["1", "Jeans", "232.750", "2", "465.500"],
        ["2", "Hemd", "180.000", "3", "540.000"],
        ["3", "Hose", "280.000", "4", "1.120.000"],
      ]).map(([, quantity, price]) => [quantity, price]),
    ).toEqual([
      [2, 232_750],
      [3, 180_000],
      [4, 280_000],
    ]);
  });

  it("are amounts, whatever they are called, where a printed total adds them up beside quantities", () => {
    expect(
      inTable([
        ["Item", "Qty", "Price"],
        ["Water", "4", "12.00"],
        ["Kebab", "1", "14.00"],
        ["Total", "", "26.00"],
      ]),
    ).toEqual([
      ["Water", 4, null, 12],
      ["Kebab", 1, null, 14],
    ]);
  });
});

describe("rows that are no items", () => {
  it("number the columns below their headings", () => {
    const rows = [
      ["Description", "Quantity", "Unit price", "Amount"],
      ["1", "2", "3", "4"],
      ["Lamp", "2", "10.00", "20.00"],
      ["Cable", "3", "4.00", "12.00"],
    ];
    expect(itemsIn(setLayout([setTable(rows, 1)])).map(([name]) => name)).toEqual(["Lamp", "Cable"]);
  });

  it("add up those above without a price, under a word that no vocabulary has", () => {
    const rows = [
      ["Description", "Quantity", "Unit price", "Amount"],
      ["Lamp", "2", "10.00", "20.00"],
      ["Cable", "3", "4.00", "12.00"],
      ["Xyzzy", "5", "", "32.00"],
    ];
    expect(itemsIn(setLayout([setTable(rows, 1)])).map(([name]) => name)).toEqual(["Lamp", "Cable"]);
  });
});

describe("lists of a bill", () => {
  const goods: Row[] = [
    ["1xSchnitzel", "22.00"],
    ["2xMacchiato", "9.00"],
    ["1xSoup", "6.50"],
    ["Total", "37.50"],
  ];

  it("part a recognised count from the name that it is joined to", () => {
    expect(itemsIn(receipt(goods).layout()).map(([name, count]) => [name, count])).toEqual([
      ["Schnitzel", 1],
      ["Macchiato", 2],
      ["Soup", 1],
    ]);
  });

  it("make a bill of a recognised page whose total adds them up", () => {
    const isBill = (...last: Row[]): boolean =>
      buildContext(receipt([...goods.slice(0, 3), ...last]).layout(), new Map(), []).isBill();
    expect(isBill(["Room 4", "37.50"], ["Card", "37.50"])).toBe(true);
    expect(isBill(["Room 4", "41.00"], ["Card", "41.00"])).toBe(false);
  });

  it("are read once where the file holds a copy of its page", () => {
    const rows = [
      ["Description", "Quantity", "Unit price", "Amount"],
      ["Paint", "2", "43.08", "86.16"],
      ["Brush", "3", "8.13", "24.39"],
    ];
    const twice = (total: string, other: string[][]): Layout =>
      setLayout([setBlock(total), setTable(rows, 1)], [setBlock(total), setTable(other, 1)]);
    const names = (layout: Layout): (string | null)[] => itemsIn(layout).map(([name]) => name);
    expect(names(twice("Total 110.55", rows))).toEqual(["Paint", "Brush"]);
    const others = [...rows.slice(0, 2), ["Cloth", "3", "8.13", "24.39"]];
    expect(names(twice("Total 110.55", others))).toEqual(["Paint", "Brush", "Paint", "Cloth"]);
    // No total needs them once only: they are further rows.
    expect(names(twice("Total 221.10", rows))).toEqual(["Paint", "Brush", "Paint", "Brush"]);
  });

  it("name the column of words beside amounts with a rate of tax, in whatever language", () => {
    const rows = [
      ["Gemaakte kosten", "Bedrag", "Btw %", "Btw"],
      ["Commissie", "646,58", "21%", "135,78"],
      ["Verzending", "103,35", "21%", "21,70"],
      ["Voorraad", "77,92", "21%", "16,36"],
    ];
    expect(itemsIn(setLayout([setTable(rows, 1)]))).toEqual([
      ["Commissie", null, null, 646.58],
      ["Verzending", null, null, 103.35],
      ["Voorraad", null, null, 77.92],
    ]);
  });
});
