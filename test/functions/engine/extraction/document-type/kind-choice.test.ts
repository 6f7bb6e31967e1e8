/** A choice among kinds of documents: what the document is, never what it mentions. */

import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const KINDS = ["invoice", "safety_data_sheet", "other"];
const schemaOf = (choices: string[], name: string): Json => ({
  type: "object",
  properties: { [name]: { type: "string", enum: choices } },
});

function kindOf(draw: (page: PageMaker) => void, choices = KINDS, name = "document_type") {
  const page = new PageMaker();
  draw(page);
  const { result, sources } = extractOffline(page.layout(), {
    schema: parseSchema(schemaOf(choices, name)),
    granularity: "auto",
  });
  return { kind: (result as Record<string, Json>)[name], sources };
}
const titled = (title: string, ...rest: [string[]?, string?]) =>
  kindOf((page) => page.text(1, 0.8, title, { size: 18 }).text(1, 3, "Some words below it."), ...rest).kind;

describe("chooseDocumentKind", () => {
  it.each([
    ["INVOICE", "invoice"],
    ["Rechnung Nr. 12", "invoice"],
    ["Mietrechnung", "invoice"],
    ["FACTURE", "invoice"],
    ["Factura", "invoice"],
    ["Factuur 2014", "invoice"],
    ["Fattura", "invoice"],
    ["Safety Data Sheet", "safety_data_sheet"],
    ["Sicherheitsdatenblatt", "safety_data_sheet"],
    ["Fiche de données de sécurité", "safety_data_sheet"],
    ["Mietvertrag", "other"],
    ["Lieferschein", "other"],
    ["Bon de commande", "other"],
  ])("%s is %s", (title, kind) => {
    expect(titled(title)).toBe(kind);
  });

  it("locates the type at its title", () => {
    const { sources } = kindOf((page) => page.text(1, 0.8, "Rechnung", { size: 18 }));
    expect(sources.locations["/document_type"]?.pageAnchors[0]?.bbox.left).toBeCloseTo(1, 1);
  });

  it("counts amendments and till receipts as invoices, unless the choices name them", () => {
    for (const title of ["Gutschrift", "Rechnungskorrektur", "Quittung", "Ticket"]) {
      expect(titled(title)).toBe("invoice");
      expect(titled(title, ["invoice", "receipt", "credit_note"])).not.toBe("invoice");
    }
  });

  it("recognises field names and choices in many languages", () => {
    expect(titled("Invoice", ["Rechnung", "Lieferschein", "Sonstiges"], "Dokumenttyp")).toBe("Rechnung");
    expect(titled("Lieferschein", ["taxInvoice", "deliveryNote"], "docKind")).toBe("deliveryNote");
    expect(titled("Contrat", ["facture", "devis", "autre"], "type de document")).toBe("autre");
  });

  it("chooses nothing when no choice fits", () => {
    expect(titled("Mietvertrag", ["invoice", "receipt"])).toBeNull();
  });

  it("ignores types that the document only mentions", () => {
    const form = (page: PageMaker) =>
      page
        .lines(1, 1, ["Please send us your invoice within ten days, and keep a copy of it for your tax return."])
        .lines(1, 2, ["The total of all taxes is due on the due date."]);
    expect(kindOf(form).kind).toBeNull();
  });

  it("decides by wording, without a place", () => {
    const { kind, sources } = kindOf((page) =>
      page.lines(1, 2, ["Rechnungsnummer 12", "zahlbar bis 3. Mai", "inkl. USt", "Gesamtbetrag"]),
    );
    expect(kind).toBe("invoice");
    expect(sources.unresolved).toEqual([{ pointer: "/document_type", reason: "derived" }]);
  });

  it("recognises a till receipt by items under headings with their sum below", () => {
    const till = (page: PageMaker) => {
      page.text(1, 1, "Trattoria Blu").text(1, 1.2, "Via Roma 3");
      page.text(1, 2, "Unid.").text(2, 2, "Descripción").text(4, 2, "Precio").text(5, 2, "Importe");
      page.text(1, 2.2, "2").text(2, 2.2, "Menú").text(4, 2.2, "7,95").text(5, 2.2, "15,90");
      return page.text(1, 2.6, "TOTAL").text(5, 2.6, "15,90");
    };
    expect(kindOf(till).kind).toBe("invoice");
    expect(kindOf(till, ["receipt", "contract"]).kind).toBe("receipt");
  });

  it("reads a type that is printed behind a label", () => {
    const { kind } = kindOf((page) => page.text(1, 1, "Report").text(1, 2, "Document type: invoice"));
    expect(kind).toBe("invoice");
  });

  it("ignores fields that ask for something else", () => {
    const draw = (page: PageMaker) => page.text(1, 0.8, "Rechnung").text(1, 2, "paid on delivery");
    expect(kindOf(draw, ["paid on delivery", "paid before"], "payment_type").kind).toBe("paid on delivery");
    expect(kindOf(draw, ["invoice", "cheque"], "paid_by").kind).toBeNull();
  });
});
