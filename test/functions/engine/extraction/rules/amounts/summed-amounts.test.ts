import { describe, expect, it } from "vitest";
import {
  buildContext,
  type DocumentContext,
} from "../../../../../../functions/engine/extraction/rules/document-context.ts";
import { PageMaker } from "../../page.ts";
import { grid } from "../invoices/sample.ts";

function contextOf(columns: readonly number[], rows: string[][], pages = 1): DocumentContext {
  const page = new PageMaker();
  grid(page, 2, [...columns], rows);
  const [first] = page.layout().pages;
  if (first === undefined) throw new Error("No page was drawn.");
  const layout = page.layout();
  for (let number = 2; number <= pages; number += 1) layout.pages.push({ ...first, number, blocks: [] });
  return buildContext(layout, new Map(), []);
}

const valuesOf = (context: DocumentContext): Record<string, unknown> =>
  Object.fromEntries(Object.entries(context.totals()).map(([id, finding]) => [id, finding?.value]));

describe("the total of a column, whatever its label", () => {
  const goods = [
    ["Quần jean", "2", "465,500"],
    ["Quần denim", "1", "280,000"],
  ];

  it("is the amount that adds up those above it", () => {
    expect(valuesOf(contextOf([1, 3, -7.4], [...goods, ["Xyzzy:", "", "745,500"]]))).toEqual({
      "gross-total": 745500,
      "amount-due": 745500,
    });
  });

  it("is no sum of positions or counts, no amount that is labelled otherwise, and none above a larger one", () => {
    expect(
      valuesOf(
        contextOf(
          [1, -7.4],
          [
            ["Aaa", "1"],
            ["Bbb", "2"],
            ["Xyzzy", "3"],
          ],
        ),
      ),
    ).toEqual({});
    expect(valuesOf(contextOf([1, 3, -7.4], [...goods, ["Subtotal", "", "745,500"]]))).not.toHaveProperty(
      "gross-total",
    );
    const more = [...goods, ["Xyzzy", "", "745,500"], ["Plugh", "", "900,000"]];
    expect(valuesOf(contextOf([1, 3, -7.4], more))).not.toHaveProperty("gross-total");
  });

  it("stands above what was given, where the change is left of it", () => {
    const rows = [...goods, ["Xyzzy", "", "745,500"], ["Plugh", "", "900,000"], ["Waldo", "", "154,500"]];
    expect(valuesOf(contextOf([1, 3, -7.4], rows))).toMatchObject({ "gross-total": 745500 });
  });

  it("is not looked for in long documents that nothing shows to be a bill", () => {
    expect(valuesOf(contextOf([1, 3, -7.4], [...goods, ["Xyzzy:", "", "745,500"]], 3))).toEqual({});
  });

  it("makes a weak label surer", () => {
    const rows = [
      ["Coffee", "1", "45.00"],
      ["Cake", "2", "30.00"],
      ["Total", "3", "75.00"],
    ];
    const alone = [["Total", "3", "75.00"]];
    const sure = (all: string[][]): number => contextOf([1, 3, -7.4], all).totals()["gross-total"]?.confidence ?? 0;
    expect(sure(rows)).toBeGreaterThan(sure(alone) + 0.1);
  });
});

describe("the row of totals", () => {
  const goods = [
    ["Fulad", "1000.00", "12%", "120.00", "1120.00"],
    ["Kabel", "500.00", "12%", "60.00", "560.00"],
  ];

  it("has net, tax and gross where its columns add up, and makes a bill", () => {
    const context = contextOf([1, -4, -5, -6, -7.4], [...goods, ["Xyzzy", "1500.00", "", "180.00", "1680.00"]]);
    expect(valuesOf(context)).toMatchObject({ "net-total": 1500, "tax-total": 180, "gross-total": 1680 });
    expect(context.isBill()).toBe(true);
  });

  it("is no line of goods", () => {
    expect(valuesOf(contextOf([1, -4, -5, -6, -7.4], goods.slice(0, 1)))).toEqual({});
  });

  it("has them where headings name net and tax", () => {
    const rows = [
      ["Gravado", "Exento", "Sub Total", "IVA", ""],
      ["10,356.06", "0.00", "10,356.06", "2,174.77", "12,530.83"],
    ];
    expect(valuesOf(contextOf([1, 2, 3, 4.2, -7.4], [["Factura 12", "", "", "", ""], ...rows]))).toMatchObject({
      "net-total": 10356.06,
      "tax-total": 2174.77,
      "gross-total": 12530.83,
    });
  });

  it("has them where its label says so", () => {
    const rows = [...goods.slice(0, 1), ["Razem", "1000.00", "12%", "120.00", "1120.00"]];
    expect(valuesOf(contextOf([1, -4, -5, -6, -7.4], rows))).toMatchObject({ "net-total": 1000, "tax-total": 120 });
  });
});

it("reads the tax behind a label that a rate touches", () => {
  const rows = [
    ["Rechnung Nr. 12", ""],
    ["MwSt.19 %", "62,32 €"],
    ["Gesamtbetrag", "390,32 €"],
  ];
  expect(valuesOf(contextOf([1, -7.4], rows))).toMatchObject({ "tax-total": 62.32, "gross-total": 390.32 });
});

it("takes a document with headings of parties and items for a bill", () => {
  const page = new PageMaker();
  page.text(1, 0.5, "12-06-2019").lines(1, 1, ["Sprzedawca", "Nazwa: Spock"]).lines(1, 2, ["Nabywca", "Nazwa: Hymel"]);
  grid(
    page,
    3,
    [1, 3, 4, -6],
    [
      ["Nazwa", "Ilość", "Cena", "Wartość"],
      ["Kubek", "2", "4,00", "8,00"],
    ],
  );
  expect(buildContext(page.layout(), new Map(), []).isBill()).toBe(true);
});

it("reads amounts that programs print with one decimal", () => {
  expect(
    valuesOf(
      contextOf(
        [1, -7.4],
        [
          ["Invoice No. 12", ""],
          ["Total", "3200.0"],
        ],
      ),
    )["gross-total"],
  ).toBe(3200);
});
