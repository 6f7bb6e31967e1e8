/** Lists of tills as recognition leaves them: taxes, subtotals and payments among their lines, and damaged amounts. */
import { describe, expect, it } from "vitest";
import { recordTexts } from "../../../../../functions/engine/structure/records/record-set.ts";
import { summedRecords } from "../../../../../functions/engine/structure/records/summed-records.ts";
import { viewDocument } from "../../../../../functions/engine/structure/view/document-view.ts";
import { PageMaker } from "../../extraction/page.ts";

type Line = readonly [label: string, amount?: string, right?: number];

interface Printing {
  notation?: "comma" | "point";
  /** A text layer instead of a recognised picture. */
  isText?: true;
}

const LINE_INCHES = 0.2;

function setsOf(lines: readonly Line[], { notation = "point", isText }: Printing = {}) {
  const maker = new PageMaker();
  const recognised = isText ? {} : { confidence: 80 };
  for (const [at, [label, amount, right = 4]] of lines.entries()) {
    if (label !== "") maker.text(1, 1 + at * LINE_INCHES, label, recognised);
    if (amount !== undefined) maker.text(right, 1 + at * LINE_INCHES, amount, { align: "right", ...recognised });
  }
  return summedRecords(viewDocument(maker.layout()), notation);
}

const recordsOf = (lines: readonly Line[], printing?: Printing): string[][] =>
  setsOf(lines, printing).flatMap(({ records }) => records.map(recordTexts));
const namesOf = (lines: readonly Line[], printing?: Printing): (string | undefined)[] =>
  recordsOf(lines, printing).map(([name]) => name);

describe("taxes among the lines of a receipt", () => {
  it("ends a list at the amounts that taxes are printed rates of, whatever these are called", () => {
    const lines: Line[] = [
      ["Lampe", "1 x 12.30"],
      ["Kabel", "2 x 2.46 4.92"],
      ["Dose", "3 x 1.08 3.24"],
      ["Blatt", "1 x 5.40 5.40"],
      ["SPRZ OPOD A", "17.22"],
      ["PTU A 23 %", "3.22"],
      ["SPRZ OPOD B", "8.64"],
      ["PTU B 8 %", "0.64"],
      ["Suma", "25.86"],
    ];
    expect(namesOf([["Lampe", "1 x 12.30 12.30"], ...lines.slice(1)])).toEqual(["Lampe", "Kabel", "Dose", "Blatt"]);
  });

  it("takes the amount that a service charge is on for the sum of the lines above", () => {
    const lines: Line[] = [
      ["Fruit pie", "17.80"],
      ["Trifle", "17.80"],
      ["Service charge 10 % of", "35.60"],
      ["Service charge 10 % is", "3.56"],
      ["Service tax 6 % is", "2.14"],
      ["Subtotal", "41.30"],
    ];
    expect(namesOf(lines)).toEqual(["Fruit pie", "Trifle"]);
  });

  it("keeps the only taxed item right above its tax, which its price includes", () => {
    const lines: Line[] = [
      ["Bread", "3.00"],
      ["Lamp", "30.00"],
      ["VAT 20 %", "5.00"],
      ["Total", "33.00"],
    ];
    expect(namesOf(lines)).toEqual(["Bread", "Lamp"]);
  });

  it("takes a printed rate of the line above off it, and gives no row for that", () => {
    const lines: Line[] = [
      ["Filet", "8.45"],
      ["RIVIALE 30 %", "-2.54"],
      ["Milk", "1.35"],
      ["Bottles", "-0.40"],
      ["Total", "6.86"],
    ];
    expect(namesOf(lines)).toEqual(["Filet", "Milk", "Bottles"]);
  });
});

describe("sums among the lines of a receipt", () => {
  it("takes a second line with the amount of an only one for a sum", () => {
    const lines: Line[] = [
      ["Bread", "30.00"],
      ["NOTXBL", "30.00"],
      ["Total", "30.00"],
    ];
    expect(namesOf(lines)).toEqual(["Bread"]);
  });

  it("takes a sum of two lines that is printed twice, without any label of a total", () => {
    const lines: Line[] = [
      ["Rice", "120.00"],
      ["Tea", "9.00"],
      ["Xyz", "129.00"],
      ["Abc", "129.00"],
    ];
    expect(namesOf(lines)).toEqual(["Rice", "Tea"]);
    expect(namesOf(lines.slice(0, 3))).toEqual([]);
  });

  it("goes on from subtotals that add up all lines above", () => {
    const lines: Line[] = [
      ["Brush", "9.43"],
      ["Broom", "10.17"],
      ["Subtotal", "19.60"],
      ["Celery", "2.98"],
      ["Pickles", "3.02"],
      ["Subtotal", "25.60"],
      ["Tax", "1.54"],
      ["Total", "27.14"],
    ];
    expect(namesOf(lines)).toEqual(["Brush", "Broom", "Celery", "Pickles"]);
  });

  it("finds a total that stands apart from the column of amounts", () => {
    const lines: Line[] = [
      ["Eggs", "2.69"],
      ["Oats", "3.99"],
      ["Total", "$6.68", 4.6],
    ];
    expect(namesOf(lines)).toEqual(["Eggs", "Oats"]);
  });

  it("reads a total's label right beside the amount, and letters in brackets as part of its word", () => {
    const list: Line[] = [
      ["Pears", "2.00"],
      ["Plums", "3.50"],
    ];
    const maker = new PageMaker();
    for (const [at, [label, amount]] of [...list, ["Items: 2", "5.50"] as const].entries()) {
      maker.text(1, 1 + at * LINE_INCHES, label, { confidence: 80 });
      maker.text(4, 1 + at * LINE_INCHES, amount ?? "", { align: "right", confidence: 80 });
    }
    maker.text(2.4, 1 + 2 * LINE_INCHES, "Subtotal", { confidence: 80 });
    const [found] = summedRecords(viewDocument(maker.layout()), "point");
    expect(found?.records.map((record) => recordTexts(record)[0])).toEqual(["Pears", "Plums"]);
    expect(namesOf([...list, ["TOTA(A)L", "5.50"]])).toEqual(["Pears", "Plums"]);
  });

  it("keeps a row that a sum needs, though recognition leaves no words of it", () => {
    const lines: Line[] = [
      ["Yoghurt", "169.00"],
      ["", "120.00"],
      ["Tuna fish", "235.00"],
      ["Total", "524.00"],
    ];
    expect(recordsOf(lines)).toEqual([["Yoghurt", "169.00"], ["120.00"], ["Tuna fish", "235.00"]]);
  });

  it("takes lines of zero below the last item for none", () => {
    const lines: Line[] = [
      ["Soap", "5.00"],
      ["Towel", "2.00"],
      ["Spec Disc", "0.00"],
      ["Total", "7.00"],
    ];
    expect(namesOf(lines)).toEqual(["Soap", "Towel"]);
  });
});

describe("counts and names on lines of their own", () => {
  it("takes the count and price from the line below, which is no row", () => {
    const lines: Line[] = [
      ["Baguette", "2.22"],
      ["2 Stk x 1.11"],
      ["Milk", "1.29"],
      ["Nuts", "5.97"],
      ["3 Stk x 1.99"],
      ["Total", "9.48"],
    ];
    expect(recordsOf(lines)).toEqual([
      ["Baguette", "2", "1.11", "2.22"],
      ["Milk", "1.29"],
      ["Nuts", "3", "1.99", "5.97"],
    ]);
  });

  it("finds names above the codes of articles", () => {
    const lines: Line[] = [
      ["Code Name"],
      ["9781423152830 T1"],
      ["(1@ 9.99)", "9.99"],
      ["Red Queen"],
      ["9780062310644 T1"],
      ["(2@ 5.00)", "10.00"],
      ["Subtotal", "19.99"],
    ];
    expect(recordsOf(lines).map((cells) => [cells[0], cells.at(-1)])).toEqual([
      ["Code Name", "9.99"],
      ["Red Queen", "10.00"],
    ]);
  });

  it("reads prices before counts, and counts in brackets behind names", () => {
    const lines: Line[] = [
      ["Cola 3000 x6", "18000"],
      ["Eggs 2500 x56", "140000"],
      ["Juice 1500 x4", "6000"],
    ];
    expect(recordsOf(lines, { isText: true })[0]).toEqual(["Cola", "x6", "3000", "18000"]);
    const dashed: Line[] = [["- Tart (x1) - $0.70"], ["- Pizza (x2) - $2.25"], ["Total: $2.95"]];
    expect(recordsOf(dashed, { isText: true })).toEqual([
      ["Tart", "(x1)", "- $0.70"],
      ["Pizza", "(x2)", "- $2.25"],
    ]);
  });

  it("takes sizes in one word for no counts, and words behind codes for no names", () => {
    const lines: Line[] = [
      ["Plug 60X40/2 001300000124 F", "6.75"],
      ["Roller 35X35 005210000218 F", "9.00"],
      ["Total", "15.75"],
    ];
    expect(recordsOf(lines)).toEqual([
      ["Plug 60X40/2", "6.75"],
      ["Roller 35X35", "9.00"],
    ]);
  });
});

describe("amounts that recognition damaged", () => {
  it.each([
    ["a letter for a zero", "2.0D E"],
    ["a gap behind the mark", "2. 00"],
    ["a lost mark", "2 00"],
    ["a letter for the currency", "S2.00"],
    ["letters that touch it", "2.00Ar"],
  ])("reads %s", (_, amount) => {
    const lines: Line[] = [
      ["Nails", amount],
      ["Glue", "4.50"],
      ["Total", "6.50"],
    ];
    expect(namesOf(lines)).toEqual(["Nails", "Glue"]);
  });

  it("reads an amount before the number of a tax group", () => {
    const lines: Line[] = [
      ["Nails", "2.00 19"],
      ["Glue", "4.50 7"],
      ["Total", "6.50", 3.8],
    ];
    expect(namesOf(lines)).toEqual(["Nails", "Glue"]);
  });

  it("reads a colon as a mark where the digits tell no time", () => {
    const list = (amount: string, total: string): Line[] => [
      ["Nails", amount],
      ["Glue", "4.50"],
      ["Total", total],
    ];
    expect(namesOf(list("6:97", "11.47"))).toEqual(["Nails", "Glue"]);
    expect(namesOf(list("6:47", "10.97"))).toEqual([]);
  });
});

describe("a list that is cut off above its total", () => {
  const goods = ["Brot", "Tofu", "Salat", "Eier", "Milch", "Nudeln"];

  it("is one by the signs of tax rates behind its amounts", () => {
    const lines = goods.map((name, at): Line => [name, `${at + 1}.49 B`]);
    expect(setsOf(lines).map(({ evidence, records }) => [evidence, records.length])).toEqual([["signs of a till", 6]]);
    expect(setsOf(lines, { isText: true })).toEqual([]);
    expect(setsOf(lines.slice(0, 4))).toEqual([]);
  });

  it("is one by the counts before its names", () => {
    const lines = goods.map((name, at): Line => [`1 ${name}`, `${at + 1}.49`]);
    expect(namesOf(lines)).toEqual(goods);
    expect(setsOf(goods.map((name, at): Line => [name, `${at + 1}.49`]))).toEqual([]);
  });
});

describe("damaged amounts of a receipt", () => {
  it.each([
    [["378, 000", "222, 000"], "600,000"],
    [["2. 98", "2.9 98"], "5.96"],
    [["2. .58", "1.00"], "3.58"],
    [["18.0C", "3.50"], "21.50"],
  ])("joins what recognition parted or read twice: %s", (amounts, total) => {
    const lines = amounts.map((amount, at): Line => [["Milk", "Bread"][at] ?? "", amount]);
    expect(namesOf([...lines, ["Total", total]])).toEqual(["Milk", "Bread"]);
  });

  it("parts a count from the amount that it is joined to, where the price before makes it", () => {
    const lines: Line[] = [
      ["Soup", "9.00 218.00"],
      ["Fish", "19.00 238.00"],
      ["Bread", "5.00"],
      ["Subtotal", "61.00"],
    ];
    const [set] = setsOf(lines);
    expect(set?.records.map(({ cells }) => [cells.get(1)?.value, cells.get(2)?.value, cells.get(3)?.value])).toEqual([
      [2, 9, 18],
      [2, 19, 38],
      [undefined, undefined, undefined],
    ]);
  });

  it("takes whole amounts below a thousand for money where a total adds them up, and not otherwise", () => {
    const goods: Line[] = [
      ["Sausage", "1198"],
      ["Bread", "599"],
      ["Cream", "709"],
    ];
    expect(namesOf([...goods, ["Total", "2506"]])).toEqual(["Sausage", "Bread", "Cream"]);
    expect(namesOf([...goods, ["Total", "2507"]])).toEqual([]);
  });
});

describe("lines that are no items", () => {
  const goods: Line[] = [
    ["Mat", "29.99"],
    ["MEMBER GAIN", "-9.00"],
    ["Brush", "25.90"],
    ["MEMBER GAIN", "-5.18"],
    ["Total", "41.71"],
  ];

  it("leaves out deductions that say the same again and again, and keeps single ones", () => {
    expect(namesOf(goods, { isText: true })).toEqual(["Mat", "Brush"]);
    const once = goods.map((line, at): Line => (at === 1 ? ["OLD MAT BACK", "-9.00"] : line));
    expect(namesOf(once, { isText: true })).toEqual(["Mat", "OLD MAT BACK", "Brush", "MEMBER GAIN"]);
  });

  it("leaves out the list that details a line of the one above", () => {
    const lines: Line[] = [
      ["Lesson 1", "140.48"],
      ["Lesson 2", "140.48"],
      ["Materials", "41.21"],
      ["Total", "322.17"],
      [""],
      ["Batteries", "22.45", 3.2],
      ["Cells", "18.76", 3.2],
      ["Total", "41.21", 3.2],
    ];
    expect(namesOf(lines, { isText: true })).toEqual(["Lesson 1", "Lesson 2", "Materials"]);
  });

  it("takes a total with a remark in brackets for one", () => {
    expect(
      namesOf([
        ["Milk", "1.50"],
        ["Bread", "2.50"],
        ["TOTAL (2 ITEMS)", "4.00"],
      ]),
    ).toEqual(["Milk", "Bread"]);
  });
});
