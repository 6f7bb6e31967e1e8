import { describe, expect, it } from "vitest";
import { buildContext } from "../../../../../../functions/engine/extraction/rules/document-context.ts";
import { PageMaker } from "../../page.ts";

type Row = [label: string, amount: string];

/** Net, tax and gross of a column of sums, its labels recognised with some confidence; undefined: printed. */
function totalsOf(rows: Row[], confidence?: number): unknown[] {
  const page = new PageMaker();
  const options = confidence === undefined ? {} : { confidence };
  page.text(1, 1, "Rechnung Nr. 4711").text(1, 1.4, "Vielen Dank für Ihren Auftrag und die gute Zusammenarbeit.");
  for (const [at, [label, amount]] of rows.entries())
    page.text(1, 3 + at * 0.3, label, options).text(5, 3 + at * 0.3, amount, { align: "right" });
  const totals = buildContext(page.layout(), new Map(), []).totals();
  return ["net-total", "tax-total", "gross-total"].map((id) => totals[id as keyof typeof totals]?.value);
}

const GERMAN: Row[] = [
  ["Zwisch me", "310,00 EUR"],
  ["St", "58,90 EUR"],
  ["Rechnungsbetrag", "368,90 EUR"],
];

describe("sums with labels damaged by OCR", () => {
  it.each<[string, Row[], unknown[]]>([
    ["both labels", GERMAN, [310, 58.9, 368.9]],
    [
      "the tax's alone, and it is nothing",
      [
        ["Sous total", "40,00€"],
        ["VA", "0,00€"],
        ["Montant TTC", "40,00€"],
      ],
      [40, 0, 40],
    ],
  ])("are identified by the remaining letters and the addition: %s", (_which, rows, sums) => {
    expect(totalsOf(rows, 0.6)).toEqual(sums);
  });

  it("are ignored where OCR was sure, or the text was not recognised", () => {
    expect(totalsOf(GERMAN, 0.97)).toEqual([undefined, undefined, 368.9]);
    expect(totalsOf(GERMAN)).toEqual([undefined, undefined, 368.9]);
  });

  it.each<[string, Row[]]>([
    [
      "they do not add up",
      [
        ["Zwisch me", "310,00 EUR"],
        ["St", "50,00 EUR"],
        ["Rechnungsbetrag", "368,90 EUR"],
      ],
    ],
    [
      "the letters are none of a label's",
      [
        ["Zwisch me", "310,00 EUR"],
        ["Kfg", "58,90 EUR"],
        ["Rechnungsbetrag", "368,90 EUR"],
      ],
    ],
    [
      "too few letters are left",
      [
        ["Zwisch me", "310,00 EUR"],
        ["S", "58,90 EUR"],
        ["Rechnungsbetrag", "368,90 EUR"],
      ],
    ],
  ])("are ignored where %s", (_why, rows) => {
    expect(totalsOf(rows, 0.6)[1]).toBeUndefined();
  });
});
