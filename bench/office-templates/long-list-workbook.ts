/** A workbook with a long list: texts, numbers, dates and formulas of each row, totals, merged cells and formats. */
import type { JsonObject } from "../../functions/ports/json.ts";
import { workbookOf } from "../../test/support/excel-workbook.ts";

export const longListWorkbook = (): Uint8Array =>
  workbookOf({
    sheets: [
      {
        name: "Data",
        cells: {
          A1: "Report {{title}}",
          A4: "Item",
          A5: "{{#items}}{{name}}",
          B5: "{{qty}}",
          C5: { value: "{{price}}", style: 1 },
          D5: "=B5*C5",
          E5: "=SUM(D$5:D5)",
          F5: "{{note}}",
          G5: { value: "{{date}}", style: 2 },
          H5: "=D5/SUM(D$5:D$5)",
          I5: "EUR",
          J5: "{{ok}}{{/items}}",
          B6: "=COUNT(B5)",
          D6: "=SUM(D5:D5)",
        },
        after:
          '<mergeCells count="1"><mergeCell ref="K5:L5"/></mergeCells><conditionalFormatting sqref="D5">' +
          '<cfRule type="expression" priority="1"><formula>D5&gt;$D$6/100</formula></cfRule></conditionalFormatting>',
      },
      { name: "Sum", cells: { A1: "=SUM(Data!D5:D5)", A2: "=Data!D6" } },
    ],
    formats: ["0.00", "yyyy-mm-dd"],
  });

export const longList = (rows: number): JsonObject => ({
  title: "of the year",
  items: Array.from({ length: rows }, (_, index) => ({
    name: `Item ${index}`,
    qty: index % 17,
    price: index / 7,
    note: `A note about item ${index}, with <signs> & more`,
    date: new Date(Date.UTC(2026, 0, 1 + (index % 365))).toISOString().slice(0, 10),
    ok: index % 2 === 0,
  })),
});
