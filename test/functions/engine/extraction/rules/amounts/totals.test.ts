import { describe, expect, it } from "vitest";
import type { Totals } from "../../../../../../functions/engine/extraction/rules/amounts/totals.ts";
import { buildContext } from "../../../../../../functions/engine/extraction/rules/document-context.ts";
import type { TableCell } from "../../../../../../functions/ports/layout.ts";
import { PageMaker } from "../../page.ts";
import { grid } from "../invoices/sample.ts";

function totalsOf(rows: string[][]): Totals {
  const page = new PageMaker();
  grid(page, 2, [1, -7.4], rows);
  return buildContext(page.layout(), new Map(), []).totals();
}

const values = (totals: Totals): Record<string, unknown> =>
  Object.fromEntries(Object.entries(totals).map(([id, finding]) => [id, finding?.value]));

describe("findTotals", () => {
  it("chooses the three sums that add up", () => {
    const totals = totalsOf([
      ["Subtotal", "90.00"],
      ["Discount", "-10.00"],
      ["Net amount", "80.00"],
      ["VAT 20%", "16.00"],
      ["Total", "96.00"],
    ]);
    expect(values(totals)).toEqual({ "net-total": 80, "tax-total": 16, "gross-total": 96, "amount-due": 96 });
    expect(totals["gross-total"]?.confidence).toBeGreaterThan(0.9);
  });

  it("reads a total whose remark says that it includes tax", () => {
    const rows = [
      ["Gartenarbeiten", "3'840.00 CHF"],
      ["Rechnungsbetrag (inkl. MwSt.)", "3'949.75 CHF"],
    ];
    expect(values(totalsOf(rows))).toEqual({ "gross-total": 3949.75, "amount-due": 3949.75 });
  });

  it("explains a gross total by shipping", () => {
    expect(
      values(
        totalsOf([
          ["Subtotal", "$100.00"],
          ["Shipping", "$9.00"],
          ["Tax", "$8.00"],
          ["Grand total", "$117.00"],
        ]),
      ),
    ).toMatchObject({ "net-total": 100, "tax-total": 8, "gross-total": 117 });
  });

  it("adds up the taxes of several rates if their sum explains the gross", () => {
    const totals = totalsOf([
      ["Summe netto", "300,00"],
      ["USt. 7 %", "7,00"],
      ["USt. 19 %", "38,00"],
      ["Gesamtbetrag", "345,00"],
    ]);
    expect(totals["tax-total"]).toMatchObject({ value: 45, derived: true });
    expect(totals["tax-total"]?.tokens.map((token) => token.text)).toEqual(["7,00", "38,00"]);
  });

  it("does not add up taxes that explain nothing", () => {
    const totals = totalsOf([
      ["Summe netto", "300,00"],
      ["USt. 7 %", "7,00"],
      ["USt. 19 %", "38,00"],
      ["Gesamtbetrag", "400,00"],
    ]);
    expect(totals["tax-total"]?.derived).toBeUndefined();
  });

  it("completes the totals with an unlabelled sum", () => {
    expect(
      values(
        totalsOf([
          ["Subtotal", "200.00"],
          ["8.00 %", "16.00"],
          ["Total", "216.00"],
        ]),
      ),
    ).toMatchObject({ "tax-total": 16 });
  });

  it("separates the amount due from prepayments", () => {
    expect(
      values(
        totalsOf([
          ["Total incl. VAT", "£120.00"],
          ["Amount paid", "£20.00"],
          ["Balance due", "£100.00"],
        ]),
      ),
    ).toMatchObject({ "gross-total": 120, "amount-due": 100 });
    expect(
      values(
        totalsOf([
          ["Total incl. VAT", "£120.00"],
          ["Amount paid", "£20.00"],
        ]),
      )["amount-due"],
    ).toBeUndefined();
  });

  it("reads zero tax from a statement of exemption, so that net is gross", () => {
    const totals = totalsOf([
      ["Gesamtbetrag", "380,00 €"],
      ["Umsatzsteuerbefreit nach § 4 Nr. 14 UStG (steuerbefreit)", ""],
    ]);
    expect(values(totals)).toMatchObject({ "net-total": 380, "tax-total": 0, "gross-total": 380 });
    expect(totals["tax-total"]?.derived).toBe(true);
  });

  it("does not take an item column as a total", () => {
    const page = new PageMaker();
    grid(
      page,
      2,
      [1, -5, -7.4],
      [
        ["Description", "Qty", "Total"],
        ["Nails", "2", "4.00"],
        ["Wood", "1", "6.00"],
      ],
    );
    expect(buildContext(page.layout(), new Map(), []).totals()).toEqual({});
  });

  it("reads totals below their labels", () => {
    const page = new PageMaker();
    grid(
      page,
      2,
      [1, 3, 5],
      [
        ["Net amount", "VAT amount", "Total amount"],
        ["50.00", "10.00", "60.00"],
      ],
    );
    expect(values(buildContext(page.layout(), new Map(), []).totals())).toMatchObject({
      "net-total": 50,
      "tax-total": 10,
      "gross-total": 60,
    });
  });

  it("takes the last row below a label if it adds up the rates above it", () => {
    const page = new PageMaker();
    grid(
      page,
      2,
      [-2, -4, -6],
      [
        ["Nettobetrag", "MwSt-Betrag", "Gesamtbetrag"],
        ["321,40", "61,07", "382,47"],
        ["127,59", "8,93", "136,52"],
        ["448,99", "70,00", "518,99"],
      ],
    );
    expect(values(buildContext(page.layout(), new Map(), []).totals())).toMatchObject({
      "net-total": 448.99,
      "tax-total": 70,
      "gross-total": 518.99,
    });
  });

  it("follows an addition with discounts from the subtotal to the total", () => {
    const rows = [
      ["SUBTOTAL", "$863.91"],
      ["Member discount (15%)", "-$84.00"],
      ["Sales tax (8.5%)", "$66.23"],
      ["Rewards", "-$25.00"],
      ["TOTAL", "$821.14"],
      ["Total points", "3,247"],
    ];
    expect(values(totalsOf(rows))).toMatchObject({ "net-total": 863.91, "tax-total": 66.23, "gross-total": 821.14 });
  });

  it("ignores counts and years in sentences", () => {
    expect(
      totalsOf([["In the year 2013 the total of all the people who came was 915 and the tax was 58", ""]]),
    ).toEqual({});
  });

  it("keeps the sign of credit notes", () => {
    expect(
      values(
        totalsOf([
          ["Nettobetrag", "-7,67"],
          ["MwSt. 19 %", "-1,46"],
          ["Gesamtbetrag", "-9,13"],
        ]),
      ),
    ).toMatchObject({ "net-total": -7.67, "tax-total": -1.46, "gross-total": -9.13 });
  });

  it("finds nothing on a page without sums", () => {
    expect(
      totalsOf([
        ["Dear Sir,", ""],
        ["the total is unknown", ""],
      ]),
    ).toEqual({});
  });

  /** Items whose column of amounts is headed by some lines, as the reader's table, and the total below. */
  function billOf(heads: string[], total: string[]): Totals {
    const page = new PageMaker();
    page.text(1, 1, "Rechnung Nr. 4711");
    const columns: [number, string[]][] = [
      [1, ["Beschreibung"]],
      [4, ["Menge"]],
      [6, heads],
    ];
    const cells: TableCell[] = [];
    for (const [column, [x, lines]] of columns.entries()) {
      page.lines(x, 2, lines).text(x, 2.7, ["Wartung", "1", "34,73"][column] ?? "");
      for (const row of [0, 1]) cells.push({ row, column, rowSpan: 1, columnSpan: 1, box: AREA, lines: [] });
    }
    const layout = page
      .text(4, 3.2, total[0] ?? "")
      .text(6, 3.2, total[1] ?? "")
      .layout();
    const [first] = layout.pages;
    const blocks = first?.blocks.splice(1, 2 * columns.length) ?? [];
    for (const [at, block] of blocks.entries()) if (block.kind === "paragraph") cells[at]?.lines.push(...block.lines);
    first?.blocks.splice(1, 0, { kind: "table", box: AREA, rows: 2, columns: 3, headerRows: 1, cells });
    return buildContext(layout, new Map(), []).totals();
  }
  const AREA = { left: 1, top: 2, right: 7.4, bottom: 2.9 };

  it("uses the total as net total when the headings exclude tax", () => {
    const sums = { "net-total": 34.73, "gross-total": 34.73, "amount-due": 34.73 };
    expect(values(billOf(["Betrag", "Ohne", "MwSt."], ["Total EUR", "34,73"]))).toEqual(sums);
    expect(values(billOf(["Betrag"], ["Total EUR", "34,73"]))).not.toHaveProperty("net-total");
  });
});
