import { describe, expect, it } from "vitest";
import { recordTexts } from "../../../../../functions/engine/structure/records/record-set.ts";
import { summedRecords } from "../../../../../functions/engine/structure/records/summed-records.ts";
import { viewDocument } from "../../../../../functions/engine/structure/view/document-view.ts";
import { PageMaker } from "../../extraction/page.ts";

type Line = readonly [label: string, amount?: string, x?: number];

/** @param confidence of recognised words; undefined for a text layer */
function recordsOf(lines: readonly Line[], notation: "comma" | "point" = "comma", confidence?: number): string[][] {
  const maker = new PageMaker();
  const recognised = confidence === undefined ? {} : { confidence };
  for (const [at, [label, amount, x = 1]] of lines.entries()) {
    if (label !== "") maker.text(x, 1 + at * 0.2, label, recognised);
    if (amount !== undefined) maker.text(4, 1 + at * 0.2, amount, { align: "right", ...recognised });
  }
  return summedRecords(viewDocument(maker.layout()), notation).flatMap(({ records }) => records.map(recordTexts));
}

describe("summedRecords", () => {
  it("finds the lines that a total adds up, without payments and change", () => {
    expect(
      recordsOf([
        ["Brot", "2,50"],
        ["Milch", "1,20"],
        ["Summe", "3,70"],
        ["Bar", "5,00"],
        ["Rückgeld", "1,30"],
      ]),
    ).toEqual([
      ["Brot", "2,50"],
      ["Milch", "1,20"],
    ]);
  });

  it("takes words, count and price from the lines above an amount", () => {
    expect(
      recordsOf([
        ["Piens Baltais"],
        ["2 gab X 1,50 EUR", "3,00"],
        ["Rudzu maize"],
        ["0,500 kg X 4,00", "2,00"],
        ["Total", "5,00"],
      ]),
    ).toEqual([
      ["Piens Baltais", "2", "1,50", "3,00"],
      ["Rudzu maize", "0,500", "4,00", "2,00"],
    ]);
  });

  it("finds nothing where nothing adds up", () => {
    expect(
      recordsOf([
        ["Brot", "2,50"],
        ["Milch", "1,20"],
        ["Summe", "9,99"],
      ]),
    ).toEqual([]);
  });

  it("leaves out the sums of an outline, which stand above their lines", () => {
    expect(
      recordsOf([
        ["Küche", "3,00"],
        ["Fliesen", "1,00", 1.4],
        ["Farbe", "2,00", 1.4],
        ["Bad", "4,50"],
        ["Armatur", "4,50", 1.4],
        ["Summe", "7,50"],
      ]),
    ).toEqual([
      ["Fliesen", "1,00"],
      ["Farbe", "2,00"],
      ["Armatur", "4,50"],
    ]);
  });

  it("reads counts before names, whose prices stand before the amounts", () => {
    const lines: Line[] = [
      ["2 Gringas $65.00", "$130.00"],
      ["1 Agua fresca 1/2 l $30.00", "$30.00"],
      ["Total", "$160.00"],
    ];
    expect(recordsOf(lines, "point")).toEqual([
      ["Gringas", "2", "$65.00", "$130.00"],
      ["Agua fresca 1/2 l", "1", "$30.00", "$30.00"],
    ]);
  });

  it("takes numbers before names for counts, and for positions where they run", () => {
    const lines = (first: string, second: string): Line[] => [
      [`${first} Tee`, "4,00"],
      [`${second} Kuchen`, "3,00"],
      ["Summe", "7,00"],
    ];
    expect(recordsOf(lines("1", "1"))).toEqual([
      ["Tee", "1", "4,00"],
      ["Kuchen", "1", "3,00"],
    ]);
    expect(recordsOf(lines("1", "2"))).toEqual([
      ["Tee", "4,00"],
      ["Kuchen", "3,00"],
    ]);
  });

  it("takes no size behind a count for the price", () => {
    const lines: Line[] = [
      ["2x 100 cl Mineral", "19,00"],
      ["1x Fisch", "19,00"],
      ["Summe", "38,00"],
    ];
    expect(recordsOf(lines).map(([name]) => name)).toEqual(["100 cl Mineral", "Fisch"]);
  });

  it("goes on with a list of products up to its total, whatever that is called", () => {
    const lines: Line[] = [
      ["2 Brot 1,50", "3,00"],
      ["Milch", "1,20"],
      ["3 Saft 2,00", "6,00"],
      ["2 Eier 0,75", "1,50"],
      ["Salz", "0,90"],
      ["T0TAI", "12,60"],
    ];
    expect(recordsOf(lines, "comma", 80).map((cells) => cells[0])).toEqual(["Brot", "Milch", "Saft", "Eier", "Salz"]);
  });

  it("leaves out the taxes below a total that make the same sum", () => {
    const lines: Line[] = [
      ["Brot", "2,50"],
      ["Milch", "1,20"],
      ["Käse", "4,30"],
      ["Summe", "8,00"],
      ["7 %", "3,70"],
      ["19 %", "4,30"],
      ["Gesamtbetrag", "8,00"],
    ];
    expect(recordsOf(lines).map(([name]) => name)).toEqual(["Brot", "Milch", "Käse"]);
  });

  it("reads lines whose words and amounts are one stretch", () => {
    expect(recordsOf([["2 Apples 3.00"], ["5 Milk 2.50"], ["3 Bread 1.75"], ["Total: $7.25"]], "point")).toEqual([
      ["Apples", "2", "3.00"],
      ["Milk", "5", "2.50"],
      ["Bread", "3", "1.75"],
    ]);
  });

  it("takes a carried sum for no line", () => {
    const lines: Line[] = [
      ["Brot", "2,50"],
      ["Milch", "1,20"],
      ["Zwischensumme", "3,70"],
      ["Übertrag"],
      ["", "3,70"],
      ["Käse", "4,30"],
      ["Summe", "8,00"],
    ];
    expect(recordsOf(lines).map(([name]) => name)).toEqual(["Brot", "Milch", "Käse"]);
  });

  it("takes what recognition leaves of a till's list, and of print nothing", () => {
    const lines: Line[] = [
      ["Brot", "2,50"],
      ["Milch", "I,2O"],
      ["Käse", "4,30"],
      ["Saft", "1,30"],
      ["Summe", "9,30"],
    ];
    expect(recordsOf(lines, "comma", 80).map(([name]) => name)).toEqual(["Brot", "Käse", "Saft"]);
    expect(recordsOf(lines)).toEqual([]);
  });

  it("takes no code for a count", () => {
    expect(
      recordsOf(
        [
          ["Flange W22", "3.50"],
          ["Flange X23", "1.20"],
          ["Total", "4.70"],
        ],
        "point",
      ),
    ).toEqual([
      ["Flange W22", "3.50"],
      ["Flange X23", "1.20"],
    ]);
  });

  it("reads amounts that the sign of their tax rate touches", () => {
    const lines: Line[] = [
      ["Brot", "2,50B"],
      ["Milch", "1,20·A"],
      ["Summe", "3,70"],
    ];
    for (const confidence of [undefined, 80])
      expect(recordsOf(lines, "comma", confidence)).toEqual([
        ["Brot", "2,50B"],
        ["Milch", "1,20·A"],
      ]);
  });

  it("takes a recognised letter before an amount for a currency sign, and a printed one for a code", () => {
    const lines: Line[] = [
      ["Salata", "16.00"],
      ["Tarta", "L18.00"],
      ["Total", "L34.00"],
    ];
    expect(recordsOf(lines, "point", 80)).toEqual([
      ["Salata", "16.00"],
      ["Tarta", "L18.00"],
    ]);
    expect(recordsOf(lines, "point")).toEqual([]);
  });
});
