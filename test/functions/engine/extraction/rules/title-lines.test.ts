import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const schema: Json = {
  type: "object",
  properties: { invoice_number: { type: "string" }, issue_date: { type: "string", format: "date" } },
};

function read(...lines: string[]): Json {
  const page = new PageMaker();
  for (const [index, line] of lines.entries()) page.text(1, 1 + index * 0.25, line, { size: index === 0 ? 14 : 10 });
  return extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "auto" }).result;
}

describe("titles of invoices", () => {
  it.each<[string[], string | null, string | null]>([
    [["Rechnung Nr. 471 vom 05.03.2018"], "471", "2018-03-05"],
    [["Mietrechnung (387) Nr. 93/00-N vom 01.10.2018"], "93/00-N", "2018-10-01"],
    [["Rechnung des Versicherers (575) Nr. 00.123-1 vom 11.03.2018"], "00.123-1", "2018-03-11"],
    [["Facture n°5620 du 2 juillet 2015"], "5620", "2015-07-02"],
    [["Invoice #88 dated May 4, 2021"], "88", "2021-05-04"],
    [["Rechnung gemäß Bestellung Nr. 2013-47"], null, null],
    [["Gutschrift Nr. 4711", "vom 31.10.2018"], "4711", "2018-10-31"],
    [["FATTURA 12 del 30 gennaio 2024"], "12", "2024-01-30"],
    [["Abrechnung Nr. 5 vom 05.03.2018", "01.01.2010"], null, null],
    [["Invoice #2015-11-04", "Musterstadt, November 2, 2015"], "2015-11-04", "2015-11-02"],
    [["Faktura - daňový doklad č.FV5040011231"], "FV5040011231", null],
    [["FACTURA", "Nº 0003 - 00003435", "Fecha: 10/02/2023"], "0003 - 00003435", "2023-02-10"],
    [["FACTURA", "Nº 12 Calle Mayor", "Fecha: 10/02/2023"], null, "2023-02-10"],
    [["Factura", "Rui Laite", "Maputo", "rui@laite.com", "Original", "Número: FAT309203"], "FAT309203", null],
  ])("%j", (lines, number, date) => {
    expect(read(...lines)).toEqual({ invoice_number: number, issue_date: date });
  });

  it.each<[string[], string[], string | null]>([
    [["NUMBER", "FROM", "TO"], ["0276", "Human Music BV", "Liseth Ltd"], "0276"],
    [["No.", "Description", "Date", "Quantity", "Amount"], ["1908-S", "Chair", "02/17/2026", "3", "573.00"], null],
  ])("number in a column of the document's facts, not of its items: %j", (heads, cells, number) => {
    const page = new PageMaker();
    page.text(1, 1, "Invoice", { size: 14 });
    for (const [index, head] of heads.entries()) page.text(1 + index * 1.4, 1.5, head);
    for (const [index, cell] of cells.entries()) page.text(1 + index * 1.4, 1.75, cell);
    const { result } = extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "auto" });
    expect(result).toMatchObject({ invoice_number: number });
  });

  it("do not give the date of another document", () => {
    expect(read("Rechnung gemäß Bestellung vom 01.03.2018", "Bestellt am 01.03.2018")).toMatchObject({
      issue_date: null,
    });
  });
});
