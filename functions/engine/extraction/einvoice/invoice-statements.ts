/**
 * Statements of the XML inside of an electronic invoice: Cross Industry Invoice (UN/CEFACT D16B and the older one of
 * ZUGFeRD 1; Factur-X, ZUGFeRD, XRechnung) and Universal Business Language 2.1 (OASIS), both as EN 16931 binds them.
 */
import type { Attachment } from "../../../ports/layout.ts";
import { readXmlLeaves, type XmlLeaf } from "./einvoice-xml.ts";

/** Values by concept of the vocabulary; dates as ISO. */
export type Statements = ReadonlyMap<string, string | number>;

type ValueKind = "text" | "date" | "amount";
/** Concept, kind, and the possible paths below the root, the best first. */
type Mapping = readonly (readonly [concept: string, kind: ValueKind, ...paths: string[]])[];

const HEAD = "(?:Header)?(?:ExchangedDocument|HeaderExchangedDocument)";
const TRADE = "(?:SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction)";
const AGREED = `${TRADE}/(?:Applicable(?:Header|SupplyChain)TradeAgreement)`;
const DELIVERED = `${TRADE}/(?:Applicable(?:Header|SupplyChain)TradeDelivery)`;
const SETTLED = `${TRADE}/(?:Applicable(?:Header|SupplyChain)TradeSettlement)`;
const SUMS = `${SETTLED}/(?:SpecifiedTradeSettlement(?:Header)?MonetarySummation)`;
const ACCOUNT = `${SETTLED}/SpecifiedTradeSettlementPaymentMeans`;

/** Paths are regular expressions, complete from the root's child on. */
const CII: Mapping = [
  ["invoice-number", "text", `${HEAD}/ID`],
  ["issue-date", "date", `${HEAD}/IssueDateTime/DateTimeString`],
  ["seller", "text", `${AGREED}/SellerTradeParty/Name`],
  ["buyer", "text", `${AGREED}/BuyerTradeParty/Name`],
  ["order-number", "text", `${AGREED}/BuyerOrderReferencedDocument/(?:IssuerAssignedID|ID)`],
  ["delivery-date", "date", `${DELIVERED}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString`],
  ["currency", "text", `${SETTLED}/InvoiceCurrencyCode`],
  ["due-date", "date", `${SETTLED}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString`],
  ["net-total", "amount", `${SUMS}/TaxBasisTotalAmount`],
  ["tax-total", "amount", `${SUMS}/TaxTotalAmount`],
  ["gross-total", "amount", `${SUMS}/GrandTotalAmount`],
  ["prepaid", "amount", `${SUMS}/TotalPrepaidAmount`],
  ["amount-due", "amount", `${SUMS}/DuePayableAmount`],
  ["iban", "text", `${ACCOUNT}/PayeePartyCreditorFinancialAccount/IBANID`],
  ["bic", "text", `${ACCOUNT}/PayeeSpecifiedCreditorFinancialInstitution/BICID`],
  ["payment-reference", "text", `${SETTLED}/PaymentReference`],
];

const SELLER = "AccountingSupplierParty/Party";
const BUYER = "AccountingCustomerParty/Party";

const UBL: Mapping = [
  ["invoice-number", "text", "ID"],
  ["issue-date", "date", "IssueDate"],
  ["due-date", "date", "DueDate", "PaymentMeans/PaymentDueDate"],
  ["currency", "text", "DocumentCurrencyCode"],
  ["order-number", "text", "OrderReference/ID"],
  ["seller", "text", `${SELLER}/PartyLegalEntity/RegistrationName`, `${SELLER}/PartyName/Name`],
  ["buyer", "text", `${BUYER}/PartyLegalEntity/RegistrationName`, `${BUYER}/PartyName/Name`],
  ["delivery-date", "date", "Delivery/ActualDeliveryDate"],
  ["net-total", "amount", "LegalMonetaryTotal/TaxExclusiveAmount"],
  ["tax-total", "amount", "TaxTotal/TaxAmount"],
  ["gross-total", "amount", "LegalMonetaryTotal/TaxInclusiveAmount"],
  ["prepaid", "amount", "LegalMonetaryTotal/PrepaidAmount"],
  ["amount-due", "amount", "LegalMonetaryTotal/PayableAmount"],
  ["iban", "text", "PaymentMeans/PayeeFinancialAccount/ID"],
  ["bic", "text", "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID"],
  ["payment-reference", "text", "PaymentMeans/PaymentID"],
];

const MAPPINGS_BY_ROOT: [RegExp, Mapping][] = [
  [/^CrossIndustry(?:Invoice|Document)$/, CII],
  [/^(?:Invoice|CreditNote)$/, UBL],
];

const MAX_TEXT_CHARS = 200;

/** `20180305` (format 102 of UN/CEFACT 2379) or `2018-03-05`, perhaps with a zone. */
function toDate(text: string): string | null {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:$|[TZ+-])/.exec(text);
  return match === null ? null : `${match[1]}-${match[2]}-${match[3]}`;
}

function toValue(kind: ValueKind, text: string): string | number | null {
  if (kind === "date") return toDate(text);
  if (kind === "text") return text.length <= MAX_TEXT_CHARS ? text.replace(/\s+/g, " ") : null;
  return /^[-+]?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : null;
}

function statementsOf(leaves: readonly XmlLeaf[]): Map<string, string | number> | null {
  const root = leaves[0]?.path.split("/")[0] ?? "";
  const mapping = MAPPINGS_BY_ROOT.find(([name]) => name.test(root))?.[1];
  if (mapping === undefined) return null;
  const found = new Map<string, string | number>();
  for (const [concept, kind, ...paths] of mapping) {
    for (const path of paths) {
      const whole = new RegExp(`^${root}/${path}$`);
      const leaf = leaves.find((one) => whole.test(one.path));
      const value = leaf === undefined ? null : toValue(kind, leaf.text);
      if (value === null || found.has(concept)) continue;
      found.set(concept, value);
    }
  }
  const registered = new RegExp(`^${root}/(?:${AGREED}/SellerTradeParty/SpecifiedTaxRegistration/ID)$`);
  const vat = leaves.find((leaf) => registered.test(leaf.path) && /schemeID\s*=\s*["']VA["']/.test(leaf.attributes));
  const company = leaves.find((leaf) => leaf.path === `${root}/${SELLER}/PartyTaxScheme/CompanyID`);
  const number = vat ?? company;
  if (number !== undefined) found.set("vat-id", number.text.replace(/\s+/g, ""));
  return found;
}

/** File names that the formats prescribe; they are opened before other XML. */
const PRESCRIBED_NAME = /^(?:factur-x|zugferd-invoice|xrechnung|order-x)\.xml$/i;
const MAX_OPENED_FILES = 5;

/** The statements of the first electronic invoice among a document's attachments; empty without one. */
export function readStatements(attachments: readonly Attachment[] = []): Statements {
  const files = attachments
    .filter(({ content, name, mimeType }) => content !== undefined && (/\.xml$/i.test(name) || /xml/.test(mimeType)))
    .sort((a, b) => Number(PRESCRIBED_NAME.test(b.name)) - Number(PRESCRIBED_NAME.test(a.name)));
  for (const { content = "" } of files.slice(0, MAX_OPENED_FILES)) {
    const found = statementsOf(readXmlLeaves(content));
    if (found !== null && found.size > 0) return found;
  }
  return new Map();
}
