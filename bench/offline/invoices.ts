/** What the manifest of the corpus states about its invoices, and what a user would ask for who wants it. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Json } from "../../functions/ports/json.ts";

export const KEYS = [
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
export type Key = (typeof KEYS)[number];
export type Values = Partial<Record<Key, Json>>;

/** The ten values. */
export const SCHEMA = {
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
  /** In the corpus. */
  path: string;
  language: string;
  /** Recognised, at least where it counts. */
  scan: boolean;
  common: Values;
  /** Line items under the names that their source gave them; empty when it states none. */
  lines: Item[];
  /** Sentences about what the manifest says and nobody can score. */
  unscored: string[];
  /** Keys whose stated values contradict each other, and how. */
  doubtful: { keys: Key[]; why: string } | null;
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

/** Sums that may stand between net and gross. */
const BETWEEN = ["discount", "shipping", "allowance_total", "charge_total", "tip", "rounding"];

const numberOf = (value: Json | undefined): number => (typeof value === "number" ? value : 0);

/** Stated sums that do not add up: one of them is not what its key says, and no reader can be right on all. */
function doubtsOf(common: Values, expected: { [key: string]: Json }): Invoice["doubtful"] {
  const { net_total: net, tax_total: tax, gross_total: gross } = common;
  if (typeof net !== "number" || typeof gross !== "number") return null;
  if (tax === undefined) {
    return net === gross && "tax" in expected
      ? { keys: ["net_total"], why: "net and gross are the same though there is tax" }
      : null;
  }
  const open = gross - net - numberOf(tax);
  if (Math.abs(open) < 0.02) return null;
  const known = BETWEEN.map((key) => numberOf(expected[key])).filter((amount) => amount !== 0);
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
    const known = KEYS.find((one) => one === key);
    if (known !== undefined) common[known] = value;
    else unscored.push(`${key}: not one of the ten values that all truths share`);
  }
  const missing = KEYS.filter((key) => common[key] === undefined);
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
    doubtful: doubtsOf(common, expected),
  };
}

const manifest = async (corpus: string): Promise<Entry[]> =>
  (JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] }).files;

/** The invoices of the corpus, those in pictures among them. */
export const loadInvoices = async (corpus: string): Promise<Invoice[]> =>
  (await manifest(corpus))
    .filter(({ path: file, facts }) => file.startsWith("invoices/") && facts.expected_common !== undefined)
    .map(invoiceOf);

/** Folders of documents that are no invoices; the hostile ones are left out. */
const OTHERS = ["acroforms/", "long/", "scans/", "office-templates/", "figures-barcodes/"];
/** Bills among them, by what their names say. */
const BILLS = /invoice|qr-bill|receipt/;

/** Documents on which every value of an invoice is false; and those left out because they are bills. */
export async function loadOthers(corpus: string): Promise<{ others: string[]; bills: string[] }> {
  const files = (await manifest(corpus)).map((entry) => entry.path);
  const candidates = files.filter((file) => OTHERS.some((folder) => file.startsWith(folder)));
  return {
    others: candidates.filter((file) => !BILLS.test(file)),
    bills: candidates.filter((file) => BILLS.test(file)),
  };
}
