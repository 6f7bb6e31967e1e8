/** The manifest's facts about the corpus' invoices, and the schema that a user would send. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Json } from "../../functions/ports/json.ts";

export const VALUE_KEYS = [
  "invoice_number",
  "issue_date",
  "due_date",
  "seller",
  "buyer",
  "currency",
  "net_total",
  "tax_total",
  "gross_total",
  "amount_due",
] as const;
export type ValueKey = (typeof VALUE_KEYS)[number];
export type Values = Partial<Record<ValueKey, Json>>;

/** The ten scored values. */
export const INVOICE_SCHEMA = {
  type: "object",
  properties: {
    invoice_number: { type: "string", description: "Number of the invoice as printed" },
    issue_date: { type: "string", format: "date", description: "Date on which the invoice was issued" },
    due_date: { type: "string", format: "date", description: "Date by which the invoice must be paid" },
    seller: { type: "string", description: "Name of the company or person that issued the invoice" },
    buyer: { type: "string", description: "Name of the customer that the invoice is addressed to" },
    currency: { type: "string", description: "ISO 4217 code of the currency" },
    net_total: { type: "number", description: "Total amount without tax" },
    tax_total: { type: "number", description: "Total amount of tax" },
    gross_total: { type: "number", description: "Total amount with tax" },
    amount_due: { type: "number", description: "Amount that is still to be paid" },
  },
} satisfies Json;

export type Item = Record<string, Json>;

export interface Invoice {
  /** Relative to the corpus. */
  path: string;
  language: string;
  /** True for pictures, which need recognition. */
  scan: boolean;
  common: Values;
  /** Line items with the member names of their source; empty when the manifest has none. */
  lines: Item[];
  /** Sentences about facts of the manifest that cannot be scored. */
  unscored: string[];
  /** Keys whose values contradict each other, with the reason. */
  doubtful: { keys: ValueKey[]; why: string } | null;
}

interface Entry {
  path: string;
  facts: {
    language?: string;
    text_layer_chars?: number;
    scan?: boolean;
    expected?: { [key: string]: Json };
    expected_common?: { [key: string]: Json };
  };
}

/** Amounts that may come between net and gross. */
const AMOUNTS_BETWEEN_NET_AND_GROSS = ["discount", "shipping", "allowance_total", "charge_total", "tip", "rounding"];

const numberOf = (value: Json | undefined): number => (typeof value === "number" ? value : 0);

/** Reports amounts that do not add up: one of them is mislabelled, and no reader can be right on all. */
function contradictionsOf(common: Values, expected: { [key: string]: Json }): Invoice["doubtful"] {
  const { net_total: net, tax_total: tax, gross_total: gross } = common;
  if (typeof net !== "number" || typeof gross !== "number") return null;
  if (tax === undefined) {
    return net === gross && "tax" in expected
      ? { keys: ["net_total"], why: "net and gross are the same though there is tax" }
      : null;
  }
  const open = gross - net - numberOf(tax);
  if (Math.abs(open) < 0.02) return null;
  const known = AMOUNTS_BETWEEN_NET_AND_GROSS.map((key) => numberOf(expected[key])).filter((amount) => amount !== 0);
  const sums = [0, 1, 2, 3].flatMap((signs) =>
    known.length === 0 ? [] : [known.reduce((sum, amount, at) => sum + ((signs >> at) & 1 ? amount : -amount), 0)],
  );
  if (sums.some((sum) => Math.abs(sum - open) < 0.02)) return null;
  return { keys: ["net_total"], why: `${net} + ${numberOf(tax)} is not ${gross}` };
}

const isItem = (value: Json): value is Item => typeof value === "object" && value !== null && !Array.isArray(value);

function invoiceOf({ path: file, facts }: Entry): Invoice {
  const { expected = {}, expected_common: stated = {} } = facts;
  const common: Values = {};
  const unscored: string[] = [];
  for (const [key, value] of Object.entries(stated)) {
    const known = VALUE_KEYS.find((one) => one === key);
    if (known !== undefined) common[known] = value;
    else unscored.push(`${key}: not one of the ten values that all truths share`);
  }
  const missing = VALUE_KEYS.filter((key) => common[key] === undefined);
  if (missing.length > 0) unscored.push(`${missing.join(", ")}: the manifest states none`);
  const lines = Array.isArray(expected.lines) ? expected.lines.filter(isItem) : [];
  if (lines.length === 0) unscored.push("line items: the manifest states none");
  return {
    path: file,
    language: facts.language ?? path.basename(file).slice(0, 2).replace("us", "en"),
    scan: facts.scan === true || (facts.text_layer_chars ?? 0) === 0,
    common,
    lines,
    unscored,
    doubtful: contradictionsOf(common, expected),
  };
}

const readManifest = async (corpus: string): Promise<Entry[]> =>
  (JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] }).files;

/** The invoices of the corpus, pictures included. */
export const loadInvoices = async (corpus: string): Promise<Invoice[]> =>
  (await readManifest(corpus))
    .filter(({ path: file, facts }) => file.startsWith("invoices/") && facts.expected_common !== undefined)
    .map(invoiceOf);

/** Folders of documents that are not invoices, without the hostile ones. */
const OTHER_DOCUMENT_FOLDERS = ["acroforms/", "long/", "scans/", "office-templates/", "figures-barcodes/"];
/** Bills among them, by file name. */
const BILL_FILE_PATTERN = /invoice|qr-bill|receipt/;

/** Documents on which every value of an invoice is false, and the bills that are left out of them. */
export async function loadOthers(corpus: string): Promise<{ others: string[]; bills: string[] }> {
  const files = (await readManifest(corpus)).map((entry) => entry.path);
  const candidates = files.filter((file) => OTHER_DOCUMENT_FOLDERS.some((folder) => file.startsWith(folder)));
  return {
    others: candidates.filter((file) => !BILL_FILE_PATTERN.test(file)),
    bills: candidates.filter((file) => BILL_FILE_PATTERN.test(file)),
  };
}
