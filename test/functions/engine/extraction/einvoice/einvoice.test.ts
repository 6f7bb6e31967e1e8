import { describe, expect, it } from "vitest";
import { readXmlLeaves } from "../../../../../functions/engine/extraction/einvoice/einvoice-xml.ts";
import { readStatements } from "../../../../../functions/engine/extraction/einvoice/invoice-statements.ts";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import type { Attachment } from "../../../../../functions/ports/layout.ts";
import { PageMaker } from "../page.ts";

const attach = (content: string, name = "factur-x.xml"): Attachment => ({
  name,
  mimeType: "text/xml",
  size: content.length,
  content,
});

const CII = `<?xml version="1.0"?><!-- an example -->
<rsm:CrossIndustryInvoice xmlns:rsm="x" xmlns:ram="y">
 <rsm:ExchangedDocument><ram:ID>RE-77</ram:ID><ram:TypeCode>380</ram:TypeCode>
  <ram:IssueDateTime><udt:DateTimeString format="102">20240305</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
 <rsm:SupplyChainTradeTransaction>
  <ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:Name>Chair</ram:Name></ram:SpecifiedTradeProduct></ram:IncludedSupplyChainTradeLineItem>
  <ram:ApplicableHeaderTradeAgreement>
   <ram:SellerTradeParty><ram:Name>Kolb &amp; S&#246;hne GmbH</ram:Name>
    <ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">201/113</ram:ID></ram:SpecifiedTaxRegistration>
    <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123456789</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty>
   <ram:BuyerTradeParty><ram:Name>Brauerei Lindner AG</ram:Name></ram:BuyerTradeParty>
  </ram:ApplicableHeaderTradeAgreement>
  <ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
   <ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20240404</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
   <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    <ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">19.00</ram:TaxTotalAmount>
    <ram:GrandTotalAmount>119.00</ram:GrandTotalAmount><ram:DuePayableAmount>119.00</ram:DuePayableAmount>
   </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
  </ram:ApplicableHeaderTradeSettlement>
 </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>`;

const UBL = `<Invoice xmlns:cbc="c" xmlns:cac="a"><cbc:ID>INV-9</cbc:ID><cbc:IssueDate>2024-03-05</cbc:IssueDate>
 <cbc:DueDate>2024-04-04</cbc:DueDate><cbc:DocumentCurrencyCode>GBP</cbc:DocumentCurrencyCode>
 <cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Harrow</cbc:Name></cac:PartyName>
  <cac:PartyTaxScheme><cbc:CompanyID>GB999 0001 23</cbc:CompanyID></cac:PartyTaxScheme>
  <cac:PartyLegalEntity><cbc:RegistrationName>Harrow Ltd</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
 <cac:TaxTotal><cbc:TaxAmount currencyID="GBP">20.00</cbc:TaxAmount></cac:TaxTotal>
 <cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount>100</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount>120</cbc:TaxInclusiveAmount>
  <cbc:PayableAmount>120</cbc:PayableAmount></cac:LegalMonetaryTotal>
 <cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine></Invoice>`;

describe("readStatements", () => {
  it("reads both syntaxes, header values only", () => {
    expect(Object.fromEntries(readStatements([attach(CII)]))).toMatchObject({
      "invoice-number": "RE-77",
      "issue-date": "2024-03-05",
      "due-date": "2024-04-04",
      seller: "Kolb & Söhne GmbH",
      buyer: "Brauerei Lindner AG",
      "vat-id": "DE123456789",
      currency: "EUR",
      "net-total": 100,
      "tax-total": 19,
      "gross-total": 119,
      "amount-due": 119,
    });
    expect(
      Object.fromEntries(readStatements([attach("<a/>", "note.xml"), attach(UBL, "xrechnung.xml")])),
    ).toMatchObject({
      "invoice-number": "INV-9",
      seller: "Harrow Ltd",
      "vat-id": "GB999000123",
      "net-total": 100,
      "gross-total": 120,
    });
  });

  it("returns nothing for other XML, damaged XML or no XML", () => {
    expect(readStatements(undefined).size).toBe(0);
    expect(readStatements([attach("<order><ID>1</ID></order>")]).size).toBe(0);
    expect(readStatements([attach("no XML")]).size).toBe(0);
  });

  it("reads hostile XML in linear time: unclosed, deep, large, with entities", () => {
    const start = performance.now();
    for (const xml of ["<a".repeat(400_000), "<!--".repeat(200_000), "<a>".repeat(300_000), "<a>x</a>".repeat(120_000)])
      readXmlLeaves(xml);
    expect(performance.now() - start).toBeLessThan(4000);
    expect(readXmlLeaves('<!DOCTYPE a [<!ENTITY b "cc">]><a>&b;&#x41;</a>')).toEqual([
      { path: "a", text: "&b;A", attributes: "" },
    ]);
  });
});

const SCHEMA: Json = {
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    seller: { type: "string" },
    gross_total: { type: "number" },
    due_date: { type: "string", format: "date" },
    amount_due: { type: "number", maximum: 50 },
  },
};

function extract(draw: (page: PageMaker) => void, attachments: Attachment[]) {
  const page = new PageMaker();
  draw(page);
  return extractOffline({ ...page.layout(), attachments }, { schema: parseSchema(SCHEMA), granularity: "word" });
}

const drawn = (total: string) => (page: PageMaker) =>
  page.text(1, 1, "Kolb & Söhne GmbH").text(1, 2, "Rechnung RE-77").text(1, 4, "Gesamtbetrag").text(5, 4, total);

describe("a page with an attached e-invoice", () => {
  it("has a higher confidence where both agree", () => {
    const alone = extract(drawn("119,00 €"), []).sources.locations;
    const both = extract(drawn("119,00 €"), [attach(CII)]).sources.locations;
    for (const pointer of ["/invoice_number", "/gross_total"])
      expect(both[pointer]?.confidence).toBeGreaterThan(alone[pointer]?.confidence ?? 1);
  });

  it("keeps its own value with a lower confidence where they differ", () => {
    const alone = extract(drawn("219,00 €"), []);
    const both = extract(drawn("219,00 €"), [attach(CII)]);
    expect(both.result).toMatchObject({ gross_total: 219 });
    expect(both.sources.locations["/gross_total"]?.confidence).toBeLessThan(
      alone.sources.locations["/gross_total"]?.confidence ?? 0,
    );
  });

  it("takes ambiguous values from the XML, located on the page", () => {
    const { result, sources } = extract(
      (page) => drawn("119,00 €")(page).text(1, 6, "04.04.2024").text(1, 7, "05.03.2024"),
      [attach(CII)],
    );
    expect(result).toMatchObject({ due_date: "2024-04-04" });
    expect(sources.locations["/due_date"]?.pageAnchors[0]?.bbox.top).toBeCloseTo(6, 2);
  });

  it("returns values of the XML alone without a place, if they fit the schema", () => {
    const { result, sources } = extract(drawn("119,00 €"), [attach(CII)]);
    expect(result).toMatchObject({ due_date: "2024-04-04", amount_due: null });
    expect(sources.locations["/due_date"]).toBeUndefined();
    expect(sources.unresolved).toContainEqual({ pointer: "/due_date", reason: "attachment" });
  });
});
