import { describe, expect, it } from "vitest";
import { buildContext } from "../../../../../functions/engine/extraction/rules/document-context.ts";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Layout } from "../../../../../functions/ports/layout.ts";
import { PageMaker } from "../page.ts";

/** A recognised page; each row has its cells at the left and at the right. */
function recognised(rows: readonly string[][], confidence = 0.9): Layout {
  const page = new PageMaker();
  for (const [at, [left = "", right]] of rows.entries()) {
    page.text(1, 1 + at * 0.25, left, { confidence });
    if (right !== undefined) page.text(5, 1 + at * 0.25, right, { confidence, align: "right" });
  }
  return page.layout();
}

const totalsOf = (layout: Layout): unknown[] => {
  const totals = buildContext(layout, new Map(), []).totals();
  return ["net-total", "tax-total", "gross-total"].map((id) => totals[id as keyof typeof totals]?.value);
};

const SHOP = [["Example Market"], ["Main Street 12"], ["10115 Berlin"]];
const GOODS = [
  ["Apples", "3.20"],
  ["Bread", "4.10"],
];

describe("till receipts", () => {
  it("have a total that is printed again as paid, where its label is lost", () => {
    expect(totalsOf(recognised([...SHOP, ...GOODS, ["xx", "7.30"], ["VISA", "7.30"]]))[2]).toBe(7.3);
  });

  it("have a total that is the money given less the change", () => {
    expect(totalsOf(recognised([...SHOP, ...GOODS, ["xx", "7.30"], ["Cash", "10.00"], ["Change", "2.70"]]))[2]).toBe(
      7.3,
    );
  });

  it("have a total without cents", () => {
    const rows = [...SHOP, ["Pop", "4,900"], ["Milk", "8,300"], ["xx", "13,200"], ["TUN", "20,000"], ["KBLI", "6,800"]];
    expect(totalsOf(recognised(rows))[2]).toBe(13_200);
  });

  it("have a total that the lines above add up to", () => {
    expect(totalsOf(recognised([...SHOP, ...GOODS, ["Milk", "1.20"], ["xx", "8.50"], ["VISA"]]))[2]).toBe(8.5);
    expect(totalsOf(recognised([...SHOP, ...GOODS, ["Milk", "1.20"], ["xx", "8.60"], ["VISA"]]))[2]).toBeUndefined();
  });

  it("have a total whose decimal mark was taken for a space", () => {
    expect(totalsOf(recognised([...SHOP, ...GOODS, ["Total", "7 30"], ["VISA", "7 30"]]))[2]).toBe(7.3);
  });

  it("have the tax that a printed rate leads to, and the net total of a row that adds up", () => {
    const paid = [...SHOP, ...GOODS, ["xx", "7.30"], ["VISA", "7.30"]];
    expect(totalsOf(recognised([...paid, ["di cu 10%", "0.66"]]))).toEqual([undefined, 0.66, 7.3]);
    expect(totalsOf(recognised([...paid, ["xx 6.64 0.66", "7.30"]]))).toEqual([6.64, 0.66, 7.3]);
    expect(totalsOf(recognised([...paid, ["di cu", "0.66"]]))).toEqual([undefined, undefined, 7.3]);
  });

  it("have none where the largest amount is printed once", () => {
    expect(totalsOf(recognised([...SHOP, ...GOODS, ["VISA", "x"]]))[2]).toBeUndefined();
  });

  it("are of the company that is named beside its shop", () => {
    const head = [["Corner Bakery"], ["Main Street 12"], ["Mills Trading Ltd"], ["10115 Berlin"]];
    const { seller } = buildContext(recognised([...head, ...GOODS, ["VISA", "7.30"]]), new Map(), []).parties();
    expect(seller?.name.value).toBe("Mills Trading Ltd");
  });

  it("name no buyer, and no goods as their seller", () => {
    const { seller, buyer } = buildContext(
      recognised([["x"], ...GOODS, ...SHOP, ["VISA", "7.30"]]),
      new Map(),
      [],
    ).parties();
    expect([seller?.name.value, buyer]).toEqual([undefined, undefined]);
  });
});

describe("recognised amounts", () => {
  it("without their mark are repaired by a sum", () => {
    const rows = [["Invoice No. 12"], ["Subtotal", "8091"], ["VAT", "4.05"], ["Total", "84.96"]];
    expect(totalsOf(recognised(rows))).toEqual([80.91, 4.05, 84.96]);
  });

  it("without their mark stay as they are without a proof", () => {
    const rows = [["Invoice No. 12"], ["Subtotal", "8091"], ["VAT", "4.05"], ["Total", "90.00"]];
    expect(totalsOf(recognised(rows))[0]).not.toBe(80.91);
  });

  it("are surer where they are printed twice", () => {
    const schema = parseSchema({ type: "object", properties: { total: { type: "number" } } });
    const confidenceOf = (rows: string[][]): number | undefined =>
      extractOffline(recognised(rows, 0.6), { schema, granularity: "word" }).sources.locations["/total"]?.confidence;
    const once = confidenceOf([["Invoice No. 12"], ["Grand total", "84.96"]]) ?? 0;
    const twice = confidenceOf([["Invoice No. 12"], ["Grand total", "84.96"], ["Paid by card", "84.96"]]) ?? 0;
    expect(once).toBeGreaterThan(0);
    expect(twice).toBeGreaterThan(once * 1.3);
  });

  it("with cents parted from their mark are joined", () => {
    expect(totalsOf(recognised([["Faktura nr 12"], ["Total moms", "283, 75 kr"]]))[1]).toBe(283.75);
  });
});

describe("printed totals", () => {
  const drawn = (rows: readonly [number, string][][]): Layout => {
    const page = new PageMaker();
    for (const [at, cells] of rows.entries()) for (const [x, text] of cells) page.text(x, 1 + at * 0.3, text);
    return page.layout();
  };

  it("stand below headings in their order, where cells and headings are not aligned", () => {
    const layout = drawn([
      [[1, "Faktura nr 12"]],
      [
        [0.5, "Stawka podatku"],
        [2.3, "Kwota netto"],
        [4.2, "Kwota podatku"],
        [6.1, "Kwota brutto"],
      ],
      [
        [0.5, "23%"],
        [3.6, "13 915,00"],
        [5.6, "3 200,45"],
        [7.4, "17 115,45"],
      ],
    ]);
    expect(totalsOf(layout)).toEqual([13915, 3200.45, 17115.45]);
  });

  it("are the amounts before another word on their row", () => {
    const layout = drawn([
      [[1, "Beleg 12"]],
      [
        [1, "NETTO"],
        [2.5, "92,23 EUR BRUTTOWERT"],
        [6, "109,75"],
      ],
    ]);
    expect(totalsOf(layout)[0]).toBe(92.23);
  });

  it("are no bases of a tax", () => {
    const layout = drawn([
      [[1, "Facture n° 12"]],
      [
        [1, "Montant hors TVA soumis à une TVA à 20 %"],
        [6, "67,41"],
      ],
    ]);
    expect(totalsOf(layout)[1]).toBeUndefined();
  });
});

describe("due dates", () => {
  it.each([
    ["Rechnung Nr. 12", "Bitte überweisen Sie den Betrag bis zum 14.11.2018 auf das Konto.", "2018-11-14"],
    ["Invoice No. 12", "Please pay the full amount by 14 November 2018.", "2018-11-14"],
    ["Facture n° 12", "Veuillez acquitter la totalité de cette facture avant le 12 août 2023.", "2023-08-12"],
  ])("are read from a sentence: %s", (title, sentence, due) => {
    const schema = parseSchema({ type: "object", properties: { due_date: { type: "string", format: "date" } } });
    const layout = new PageMaker().text(1, 1, title).text(1, 5, sentence);
    for (const [at, goods] of ["Apples", "Bread", "Milk", "Salt"].entries())
      layout
        .text(1, 2 + at * 0.4, goods)
        .text(3, 2 + at * 0.4, "4 kg")
        .text(5, 2 + at * 0.4, "21,24 EUR");
    expect(extractOffline(layout.layout(), { schema, granularity: "word" }).result).toEqual({ due_date: due });
  });
});

describe("bills in photos", () => {
  const answerTo = (layout: Layout, name: string, format?: string): unknown => {
    const properties = { [name]: { type: "string", ...(format === undefined ? {} : { format }) } };
    const { result } = extractOffline(layout, {
      schema: parseSchema({ type: "object", properties }),
      granularity: "word",
    });
    return (result as Record<string, unknown>)[name];
  };

  it("have a total below what was given twice, and no change where a tax makes one total of another", () => {
    const paid = [
      ["Total", "16.28"],
      ["Cash", "20.00"],
      ["Total tendered", "20.00"],
      ["Change", "3.72"],
    ];
    expect(totalsOf(recognised([...SHOP, ["Sauce", "14.79"], ["Sweets", "1.49"], ...paid]))[2]).toBe(16.28);
    const taxed = [
      ["Subtotal", "100.00"],
      ["xx", "8.00"],
      ["Total", "108.00"],
      ["VISA", "108.00"],
      ["xx", "8.00"],
    ];
    expect(totalsOf(recognised([...SHOP, ...taxed]))[2]).toBe(108);
  });

  it("have the tax of a row with its own rate, though the total was rounded", () => {
    const rows = [
      ["Total", "50.45"],
      ["Rounding", "-0.45"],
      ["To pay", "50.00"],
      ["Cash", "60.00"],
      ["Change", "10.00"],
    ];
    expect(totalsOf(recognised([...SHOP, ...rows, ["C 12% 5.41 50.45", "45.04"]])).slice(0, 2)).toEqual([45.04, 5.41]);
  });

  it("have amounts with parted groups, colons for marks and letters for signs", () => {
    const rows = [
      ["Subtotal", "378, 000"],
      ["Service", "37,800"],
      ["Tax", "37,800"],
      ["Total", "453,600"],
    ];
    expect(totalsOf(recognised([...SHOP, ["Tea", "378,000"], ...rows]))[2]).toBe(453_600);
    expect(totalsOf(recognised([...SHOP, ["Tea", "L63.00"], ["Total", "L63.00"], ["CASH", "L63.00"]]))[2]).toBe(63);
    expect(totalsOf(recognised([...SHOP, ["Tea", "3,00"], ["TOTAL$4.723,07"]]))[2]).toBe(4723.07);
  });

  it("have no total that is a printed rate or less than a labelled subtotal", () => {
    const rate = [
      ["Bread", "4.10"],
      ["V", "18.00"],
      ["Milk", "2.21"],
      ["V", "18.00"],
      ["V 18%", "0.96"],
    ];
    expect(totalsOf(recognised([...SHOP, ...rate, ["xx", "6.31"], ["CARD", "6.31"], ["xx", "6.31"]]))[2]).toBe(6.31);
    const card = [
      ["Subtotal", "10.30"],
      ["Card", "10.00"],
      ["Redeemed", "10.00"],
    ];
    expect(totalsOf(recognised([...SHOP, ["Rice", "10.35"], ...card]))[2]).not.toBe(10);
  });

  it("name the seller at their head without its number, and no currency by capitals of a name", () => {
    const rows = [["Sample Food Sdn Bhd (715133-P)"], ["12 Main Street"], ["MIX SUN BHD"], ...GOODS, ["Total", "7.30"]];
    expect(answerTo(recognised(rows), "seller")).toBe("Sample Food Sdn Bhd");
    expect(answerTo(recognised(rows), "currency")).toBeNull();
  });
});
