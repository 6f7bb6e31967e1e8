import { describe, expect, it } from "vitest";
import { recordTexts } from "../../../../../functions/engine/structure/records/record-set.ts";
import { summedRecords } from "../../../../../functions/engine/structure/records/summed-records.ts";
import { viewDocument } from "../../../../../functions/engine/structure/view/document-view.ts";
import { PageMaker } from "../../extraction/page.ts";

type Line = readonly [label: string, amount?: string, x?: number];

function recordsOf(lines: readonly Line[], notation: "comma" | "point" = "comma"): string[][] {
  const maker = new PageMaker();
  for (const [at, [label, amount, x = 1]] of lines.entries()) {
    maker.text(x, 1 + at * 0.2, label);
    if (amount !== undefined) maker.text(4, 1 + at * 0.2, amount, { align: "right" });
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
});
