/** The concepts of business documents that the vocabulary knows; their words are in the language files. */

/** The kind of value beside a concept's label. */
export type ValueKind =
  | "code"
  | "date"
  | "time"
  | "period"
  | "amount"
  | "rate"
  | "quantity"
  | "currency"
  | "party"
  | "iban"
  | "bic"
  | "vat-id"
  | "phone"
  | "email"
  | "url"
  | "text";

export interface Concept {
  id: string;
  value: ValueKind;
}

/** Numbers and codes that identify documents, orders and parties. */
const IDENTIFIERS: readonly Concept[] = [
  { id: "invoice-number", value: "code" },
  { id: "receipt-number", value: "code" },
  { id: "order-number", value: "code" },
  { id: "customer-number", value: "code" },
  { id: "delivery-number", value: "code" },
  { id: "contract-number", value: "code" },
  { id: "quote-number", value: "code" },
  { id: "payment-reference", value: "code" },
  { id: "vat-id", value: "vat-id" },
  { id: "tax-number", value: "code" },
  { id: "registration-number", value: "code" },
  { id: "iban", value: "iban" },
  { id: "bic", value: "bic" },
  { id: "bank-account", value: "code" },
  { id: "item-number", value: "code" },
  { id: "page-number", value: "code" },
];

/** Dates of a business document. */
const DATES: readonly Concept[] = [
  { id: "issue-date", value: "date" },
  { id: "due-date", value: "date" },
  { id: "payment-date", value: "date" },
  { id: "delivery-date", value: "date" },
  { id: "order-date", value: "date" },
  { id: "period-start", value: "date" },
  { id: "period-end", value: "date" },
  { id: "birth-date", value: "date" },
];

/** Amounts in the totals of a document, their rate and their currency. */
const AMOUNTS: readonly Concept[] = [
  { id: "net-total", value: "amount" },
  { id: "tax-total", value: "amount" },
  { id: "gross-total", value: "amount" },
  { id: "amount-due", value: "amount" },
  { id: "prepaid", value: "amount" },
  { id: "discount", value: "amount" },
  { id: "shipping", value: "amount" },
  { id: "surcharge", value: "amount" },
  { id: "rounding", value: "amount" },
  { id: "tip", value: "amount" },
  { id: "previous-balance", value: "amount" },
  { id: "cash-given", value: "amount" },
  { id: "tax-rate", value: "rate" },
  { id: "currency", value: "currency" },
];

/** The parties of a document and their particulars. */
const PARTIES: readonly Concept[] = [
  { id: "seller", value: "party" },
  { id: "buyer", value: "party" },
  { id: "payee", value: "party" },
  { id: "ship-to", value: "party" },
  { id: "contact-person", value: "text" },
  { id: "account-holder", value: "party" },
  { id: "bank-name", value: "text" },
  { id: "phone", value: "phone" },
  { id: "fax", value: "phone" },
  { id: "email", value: "email" },
  { id: "website", value: "url" },
  { id: "payment-method", value: "text" },
  { id: "payment-terms", value: "text" },
  { id: "address", value: "text" },
  { id: "notes", value: "text" },
];

/** Letters, contracts, reports and publications. */
const DOCUMENTS: readonly Concept[] = [
  { id: "title", value: "text" },
  { id: "author", value: "text" },
  { id: "subject", value: "text" },
  { id: "signatory", value: "text" },
  { id: "fiscal-year", value: "code" },
  { id: "effective-date", value: "date" },
  { id: "fiscal-year-end", value: "date" },
  { id: "governing-law", value: "text" },
  { id: "notice-period", value: "period" },
  { id: "contract-term", value: "period" },
  { id: "parties", value: "text" },
  { id: "first-party", value: "text" },
  { id: "second-party", value: "text" },
  { id: "seat", value: "text" },
  { id: "organization-name", value: "text" },
  { id: "doi", value: "code" },
  { id: "isbn", value: "code" },
  { id: "issn", value: "code" },
  { id: "arxiv-id", value: "code" },
];

/** Concepts that stand once in a document. */
export const DOCUMENT_CONCEPTS: readonly Concept[] = [...IDENTIFIERS, ...DATES, ...AMOUNTS, ...PARTIES, ...DOCUMENTS];

/** Concepts that head the columns of line items; `tax-rate` and `item-number` are shared with the document's. */
export const ITEM_CONCEPTS: readonly Concept[] = [
  { id: "line-position", value: "code" },
  { id: "item-description", value: "text" },
  { id: "quantity", value: "quantity" },
  { id: "unit", value: "text" },
  { id: "unit-price", value: "amount" },
  // Its weak labels (`price incl VAT`) are unit prices beside a column of amounts.
  { id: "line-amount", value: "amount" },
  { id: "line-debit", value: "amount" },
  { id: "line-credit", value: "amount" },
];

const BY_ID = new Map([...DOCUMENT_CONCEPTS, ...ITEM_CONCEPTS].map((concept) => [concept.id, concept]));

/** A concept by its id. */
export const conceptById = (id: string): Concept | undefined => BY_ID.get(id);
