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
  ])("%j", (lines, number, date) => {
    expect(read(...lines)).toEqual({ invoice_number: number, issue_date: date });
  });

  it("do not give the date of another document", () => {
    expect(read("Rechnung gemäß Bestellung vom 01.03.2018", "Bestellt am 01.03.2018")).toMatchObject({
      issue_date: null,
    });
  });
});
