import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const SCHEMA = {
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    issue_date: { type: "string", format: "date" },
    gross_total: { type: "number" },
  },
};

/** Lines of a page; parts of a line that `|` divides stand four inches apart. */
function read(lines: readonly string[], schema: Json = SCHEMA): Json {
  const page = new PageMaker();
  for (const [at, line] of lines.entries())
    for (const [column, part] of line.split("|").entries())
      if (part.trim() !== "") page.text(0.8 + 2.4 * column, 0.8 + at * 0.22, part.trim());
  return extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "auto" }).result;
}

const NOTES: [string, string[]][] = [
  [
    "en: relates to",
    [
      "Credit note C-77",
      "Date: 14 June 2024",
      "This credit relates to invoice 8841 dated 2 May 2024.",
      "Total | -84.00",
    ],
  ],
  [
    "en: against, with the sum",
    [
      "CREDIT MEMO",
      "Credit memo no. C-77",
      "Date: June 14, 2024",
      "Against invoice 8841 of May 2, 2024, total $840.00",
      "Total | -84.00",
    ],
  ],
  [
    "en: a table of what is credited",
    [
      "Credit note no: C-77",
      "Credit note date: 14 June 2024",
      "",
      "Original invoice | Original invoice date | Original total",
      "8841 | 2 May 2024 | 840.00",
      "",
      "Total | -84.00",
    ],
  ],
  [
    "en: a section of its own",
    [
      "CREDIT NOTE",
      "Number: C-77",
      "Date: 14 June 2024",
      "",
      "Original invoice",
      "Invoice number: 8841",
      "Invoice date: 2 May 2024",
      "",
      "Total | -84.00",
    ],
  ],
  [
    "en: called invoice no. beside its own",
    ["Credit note", "Credit note number: C-77", "Credit note date: 14 June 2024", "Invoice no: 8841", "Total | -84.00"],
  ],
  [
    "de: zu Rechnung",
    [
      "Gutschrift Nr. C-77 vom 14.06.2024",
      "zu Rechnung Nr. 8841 vom 02.05.2024 über 840,00 EUR",
      "Gesamtbetrag | -84,00 EUR",
    ],
  ],
  [
    "de: bezieht sich",
    [
      "Rechnungskorrektur",
      "Rechnungskorrektur-Nr.: C-77",
      "Datum: 14.06.2024",
      "Diese Korrektur bezieht sich auf unsere Rechnung 8841 vom 02.05.2024.",
      "Gesamtbetrag | -84,00",
    ],
  ],
  [
    "de: Ursprungsrechnung",
    ["Stornorechnung C-77", "Datum: 14.06.2024", "Ursprungsrechnung: 8841 | vom 02.05.2024", "Gesamtbetrag | -84,00"],
  ],
  [
    "fr: relatif à",
    ["Avoir n° C-77 du 14/06/2024", "Relatif à votre facture n° 8841 du 02/05/2024", "Total TTC | -84,00 €"],
  ],
  [
    "fr: facture d'origine",
    [
      "FACTURE D'AVOIR",
      "N° d'avoir : C-77",
      "Date : 14/06/2024",
      "Facture d'origine : 8841 du 02/05/2024",
      "Montant de la facture d'origine : 840,00 €",
      "Total TTC | -84,00 €",
    ],
  ],
  [
    "fr: annule et remplace",
    [
      "Avoir n° C-77",
      "Date d'émission : 14/06/2024",
      "Annule et remplace la facture 8841 du 02/05/2024",
      "Total TTC | -84,00 €",
    ],
  ],
  [
    "es: rectifica",
    [
      "Factura rectificativa C-77",
      "Fecha de emisión: 14/06/2024",
      "Rectifica a la factura 8841 de fecha 02/05/2024",
      "Total | -84,00 €",
    ],
  ],
  [
    "es: correspondiente",
    [
      "NOTA DE CRÉDITO",
      "Nota de crédito nº: C-77",
      "Fecha: 14/06/2024",
      "Correspondiente a la factura 8841 del 02/05/2024",
      "Total | -84,00 €",
    ],
  ],
  [
    "nl: met betrekking tot",
    [
      "Creditnota C-77",
      "Datum: 14-06-2024",
      "Met betrekking tot factuur 8841 d.d. 02-05-2024",
      "Totaal incl. btw | -84,00",
    ],
  ],
  [
    "nl: oorspronkelijk",
    [
      "Creditfactuur",
      "Creditfactuurnummer: C-77",
      "Datum: 14-06-2024",
      "Oorspronkelijke factuur: 8841",
      "Oorspronkelijke factuurdatum: 02-05-2024",
      "Totaal incl. btw | -84,00",
    ],
  ],
  [
    "it: riferimento",
    ["Nota di credito n. C-77", "Data: 14/06/2024", "Riferimento fattura 8841 del 02/05/2024", "Totale | -84,00 €"],
  ],
];

describe("a credit note", () => {
  it.each(NOTES)("has its own number, date and sum (%s)", (_, lines) => {
    expect(read(["Muster & Partner Ltd", "", ...lines])).toEqual({
      invoice_number: "C-77",
      issue_date: "2024-06-14",
      gross_total: -84,
    });
  });

  it("without a number of its own does not take the referenced one", () => {
    const lines = ["Credit note", "Date: 14 June 2024", "Relating to invoice 8841 of 2 May 2024", "Total | -84.00"];
    expect(read(lines)).toMatchObject({ invoice_number: null, issue_date: "2024-06-14" });
  });

  it("gives the referenced invoice's number to fields that ask for it", () => {
    const schema = { type: "object", properties: { original_invoice: { type: "string" } } };
    const lines = ["Credit note C-77", "Date: 14 June 2024", "Original invoice: 8841", "Total | -84.00"];
    expect(read(lines, schema)).toEqual({ original_invoice: "8841" });
  });
});

describe("an invoice", () => {
  it.each([
    [
      "en",
      [
        "Invoice no: A-12",
        "Invoice date: 14 June 2024",
        "This invoice replaces invoice A-9 of 2 May 2024",
        "Total | 84.00",
      ],
    ],
    [
      "de",
      [
        "Rechnung Nr. A-12",
        "Rechnungsdatum: 14.06.2024",
        "ersetzt die Rechnung A-9 vom 02.05.2024",
        "Gesamtbetrag | 84,00",
      ],
    ],
  ])("does not take the number of the one that it replaces (%s)", (_, lines) => {
    expect(read(lines)).toEqual({ invoice_number: "A-12", issue_date: "2024-06-14", gross_total: 84 });
  });

  it.each([
    ["a subject that says which", ["Re: Invoice A-12", "Date: 14 June 2024", "Total | 84.00"]],
    [
      "a title that says that it is no copy",
      ["ORIGINAL INVOICE", "Invoice no: A-12", "Date: 14 June 2024", "Total | 84.00"],
    ],
  ])("keeps its own number beside %s", (_, lines) => {
    expect(read(lines)).toEqual({ invoice_number: "A-12", issue_date: "2024-06-14", gross_total: 84 });
  });
});
