import { describe, expect, it } from "vitest";
import { analyzeDocument } from "../../../../../functions/engine/extraction/describe/analyze-document.ts";
import { PageMaker } from "../page.ts";

const analyzed = (draw: (page: PageMaker) => PageMaker) => analyzeDocument(draw(new PageMaker()).layout());
const typeOf = (...lines: string[]): string => analyzed((page) => page.lines(1, 2, lines)).document_type;

describe("analyzeDocument", () => {
  it.each([
    ["safety data sheet", ["SAFETY DATA SHEET", "Product: Acetone"]],
    ["safety data sheet", ["Sicherheitsdatenblatt gemäß Verordnung", "Aceton"]],
    ["purchase order", ["Purchase Order", "No. 4711"]],
    ["delivery note", ["Lieferschein", "Nr. 12"]],
    ["bank statement", ["Relevé de compte", "mars 2024"]],
    ["resume", ["Lebenslauf", "Pia Beispiel"]],
  ])("recognises a %s by its title", (type, lines) => expect(typeOf(...lines)).toBe(type));

  it.each([
    [
      "contract",
      [
        "The parties agree as follows:",
        "The Supplier shall deliver.",
        "Governing law is that of England.",
        "Termination is in writing.",
      ],
    ],
    ["contract", ["Die Parteien vereinbaren:", "Der Mieter verpflichtet sich zur Zahlung.", "Gerichtsstand ist Köln."]],
    ["letter", ["Geachte heer Jansen,", "Hartelijk dank voor uw brief.", "Met vriendelijke groet,", "Piet"]],
    ["letter", ["Estimada señora:", "Le escribimos por su carta.", "Atentamente,", "Ana"]],
    [
      "bank statement",
      ["Opening balance 100.00", "Deposits 50.00", "Closing balance 150.00", "Account number 12345678"],
    ],
    ["resume", ["Berufserfahrung", "2019 Bäcker", "Ausbildung", "2015 Lehre", "Sprachkenntnisse", "Deutsch"]],
    ["safety data sheet", ["Hazard statements: H225", "First aid measures", "CAS number 67-64-1"]],
  ])("recognises a %s by its wording", (type, lines) => expect(typeOf(...lines)).toBe(type));

  it("returns other without evidence", () => {
    expect(typeOf("The quick brown fox jumps over the lazy dog.")).toBe("other");
    expect(analyzed((page) => page)).toMatchObject({ document_type: "other", language: null, pages: 1 });
  });

  it("suggests a prompt and a schema", () => {
    const analysis = analyzed((page) =>
      page
        .text(1, 0.8, "INVOICE", { size: 20 })
        .text(1, 2, "Invoice number: INV-7")
        .text(1, 2.3, "Invoice date: 2024-03-05")
        .text(1, 2.6, "Your contact is happy to help you with all of the questions that you have.")
        .text(1, 5, "Total: 120.00 EUR")
        .newPage()
        .text(1, 1, "Terms of the contract"),
    );
    expect(analysis).toMatchObject({ document_type: "invoice", language: "en", pages: 2 });
    expect(analysis.suggested_prompt).toMatch(/^The document is an invoice\. Extract the invoice number, issue date/);
    expect(analysis.suggested_schema).toMatchObject({
      type: "object",
      properties: { invoice_number: { type: "string" } },
    });
  });
});
