import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";
import { grid } from "../rules/invoices/sample.ts";

const FACTS = {
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    net_total: { type: "number" },
    tax_total: { type: "number" },
    gross_total: { type: "number" },
    amount_due: { type: "number" },
  },
};
const NOTHING = { invoice_number: null, net_total: null, tax_total: null, gross_total: null, amount_due: null };

type Part = string | string[];

/** Lines, and rows of cells at fixed places. */
function read(parts: readonly Part[], schema: Json = FACTS): Json {
  const page = new PageMaker();
  for (const [at, part] of parts.entries()) {
    const y = 0.8 + at * 0.22;
    if (typeof part === "string") page.text(1, y, part);
    else grid(page, y, [1, 3, 5, 6.5], [part]);
  }
  return extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "auto" }).result;
}

describe("a document that is no bill", () => {
  it.each<[string, Part[]]>([
    [
      "en contract",
      [
        "CONSULTING AGREEMENT",
        "between A and B, 1 May 2024",
        "Total amount: 9,000.00 EUR",
        "The balance due on termination is 500.00 EUR.",
      ],
    ],
    [
      "de Vertrag",
      ["Dienstleistungsvertrag", "zwischen A und B", "Gesamtbetrag: 9.000,00 EUR", "zzgl. 19 % MwSt. 1.710,00 EUR"],
    ],
    ["fr contrat", ["Contrat de maintenance", "Montant total : 9 000,00 €", "Total TTC : 10 800,00 €"]],
    ["es contrato", ["CONTRATO DE OBRA", "Importe total: 9.000,00 €", "Base imponible: 7.438,02 €"]],
    ["nl overeenkomst", ["Huurovereenkomst", "Totaalbedrag: € 9.000,00", "Te betalen: € 750,00"]],
    [
      "en payslip",
      ["Pay slip April 2024", ["Gross amount", "2,800.00"], ["Tax", "410.00"], ["Net amount", "2,100.00"]],
    ],
    [
      "de Lohnabrechnung",
      ["Lohnabrechnung April 2024", ["Gesamtbetrag", "2.800,00"], ["Steuer", "410,00"], ["Netto", "2.100,00"]],
    ],
    ["fr bulletin", ["Bulletin de salaire", ["Montant total", "2 800,00"], ["Net à payer", "2 100,00"]]],
    ["es nómina", ["Recibo de salarios", ["Importe total", "2.800,00"], ["Líquido a percibir", "2.100,00"]]],
    ["nl loonstrook", ["Salarisspecificatie april", ["Totaal", "2.800,00"], ["Netto", "2.100,00"]]],
  ])("%s", (_, parts) => {
    expect(read(parts)).toEqual(NOTHING);
  });

  it.each<[string, Part[], number]>([
    [
      "en",
      [
        "Statement of account",
        ["Date", "Invoice no", "Due date", "Amount"],
        ["02/05/2024", "INV-1", "01/06/2024", "120.00"],
        ["05/05/2024", "INV-2", "04/06/2024", "80.00"],
        ["Balance due", "", "", "200.00"],
      ],
      200,
    ],
    [
      "de",
      [
        "Kontoauszug",
        ["Datum", "Rechnungsnr.", "Fällig", "Betrag"],
        ["02.05.2024", "R-1", "01.06.2024", "120,00"],
        ["05.05.2024", "R-2", "04.06.2024", "80,00"],
        ["Zu zahlen", "", "", "200,00"],
      ],
      200,
    ],
    [
      "fr",
      [
        "Relevé de compte",
        ["Date", "N° facture", "Échéance", "Montant"],
        ["02/05/2024", "F-1", "01/06/2024", "120,00"],
        ["05/05/2024", "F-2", "04/06/2024", "80,00"],
        ["Solde dû", "", "", "200,00"],
      ],
      200,
    ],
  ])("has only an amount due when it is a statement of invoices (%s)", (_, parts, due) => {
    expect(read(parts)).toEqual({ ...NOTHING, amount_due: due });
  });

  it("still has values that the schema's own words name", () => {
    const schema = {
      type: "object",
      properties: { total_amount: { type: "number" }, sum: { type: "number", title: "Net amount" } },
    };
    expect(read(["SALES CONTRACT", "Total amount: 9,000.00 EUR", "Net amount: 8,000.00 EUR"], schema)).toEqual({
      total_amount: 9000,
      sum: 8000,
    });
  });
});

describe("a bill with words of other types", () => {
  it.each<[string, Part[]]>([
    ["that names a contract", ["Maintenance contract", "Invoice no: A-1", ["Total amount", "90.00"]]],
    [
      "with a contract above its own heads of columns",
      [
        "Service agreement",
        ["Invoice number", "Date", "Customer"],
        ["A-1", "1 May 2024", "551"],
        ["Total amount", "90.00"],
      ],
    ],
    ["titled so", ["Invoice A-1", "Rental agreement", ["Total amount", "90.00"]]],
  ])("%s", (_, parts) => {
    expect(read(parts)).toMatchObject({ invoice_number: "A-1", gross_total: 90 });
  });
});

describe("a table column under a label", () => {
  it("does not give the value of its first row to the document", () => {
    const schema = {
      type: "object",
      properties: { order_number: { type: "string" }, due_date: { type: "string", format: "date" } },
    };
    const head = ["Order number", "Due date", "City"];
    const rows = [
      ["A-100", "1 May 2024", "Ulm"],
      ["A-101", "9 May 2024", "Bonn"],
    ];
    expect(read(["Open orders", head, ...rows], schema)).toEqual({ order_number: null, due_date: null });
    expect(read(["Your order", head, ...rows.slice(0, 1)], schema)).toEqual({
      order_number: "A-100",
      due_date: "2024-05-01",
    });
  });
});
