/** The kinds of documents that the language files have titles and wordings for. */

/** Kinds that a title tells; the more special ones first, as a title may hold the words of two. */
export const TITLED_KINDS = [
  "safety data sheet",
  "credit note",
  "order confirmation",
  "purchase order",
  "delivery note",
  "quote",
  "reminder",
  // A `recibo de salarios` is no receipt, an `Abrechnung` no invoice.
  "payslip",
  "bank statement",
  "receipt",
  "invoice",
  "contract",
  "certificate",
  "resume",
  "form",
  "report",
] as const;

/** Kinds that their wording tells, with the things that each of them says; the order decides between equal shares. */
export const KIND_WORDINGS = {
  invoice: ["number", "due", "tax", "total", "buyer"],
  "credit note": ["name", "credited", "original"],
  receipt: ["name", "cash", "card", "till"],
  contract: ["definitions", "parties", "law", "duties", "end"],
  letter: ["greeting", "close"],
  "bank statement": ["opening", "closing", "account", "bookings"],
  "purchase order": ["name", "delivery", "supplier"],
  "delivery note": ["name", "delivered", "packages"],
  form: ["filling", "signature", "choices", "office"],
  report: ["summary", "introduction", "conclusion", "contents", "references"],
  resume: ["work", "education", "skills", "languages"],
  "safety data sheet": ["hazards", "firstAid", "cas"],
} as const;
