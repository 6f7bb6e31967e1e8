/**
 * How well extraction without a model reads invoices: exact-match precision and recall per field over the text-layer
 * PDFs of the corpus, beside a naive label-and-value reader. `npm run bench -- offline-extraction [--corpus DIR]`.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { PDFArray, PDFDict, PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { blockLines, type Layout, lineText } from "../functions/core/documents/layout.ts";
import { readDocument } from "../functions/core/documents/read.ts";
import { extractOffline } from "../functions/core/extraction/offline.ts";
import type { Json } from "../functions/core/ports.ts";

const KEYS = [
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
type Key = (typeof KEYS)[number];
type Values = Partial<Record<Key, Json>>;

/** What a user would write who wants these ten values. */
const SCHEMA: Json = {
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
};

interface Entry {
  path: string;
  facts: { text_layer_chars?: number; language?: string; expected_common?: Values };
}

interface Outcome {
  file: string;
  language: string;
  key: Key;
  expected: Json;
  got: Json;
}

/** Removes embedded files: an e-invoice carries its own answers. @returns the bytes and how many were taken out */
async function stripAttachments(bytes: Uint8Array): Promise<{ bytes: Uint8Array; stripped: number }> {
  const document = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false });
  const names = document.catalog.lookupMaybe(PDFName.of("Names"), PDFDict);
  const embedded = names?.lookupMaybe(PDFName.of("EmbeddedFiles"), PDFDict)?.lookupMaybe(PDFName.of("Names"), PDFArray);
  const associated = document.catalog.lookupMaybe(PDFName.of("AF"), PDFArray);
  const stripped = Math.max(Math.floor((embedded?.size() ?? 0) / 2), associated?.size() ?? 0);
  if (stripped === 0) return { bytes, stripped };
  for (const [reference, object] of document.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict)) continue;
    if (object.get(PDFName.of("Type")) === PDFName.of("Filespec") || object.has(PDFName.of("EF")))
      document.context.delete(reference);
  }
  names?.delete(PDFName.of("EmbeddedFiles"));
  document.catalog.delete(PDFName.of("AF"));
  return { bytes: await document.save({ updateFieldAppearances: false }), stripped };
}

const fold = (text: string): string => text.trim().replace(/\s+/g, " ");

function isRight(expected: Json, got: Json): boolean {
  if (typeof expected === "number") return typeof got === "number" && Math.abs(expected - got) <= 0.005;
  return typeof expected === "string" && typeof got === "string" && fold(expected) === fold(got);
}

/** The yardstick: for each field the first line that says one of a few labels and has a value behind it. */
function naive(layout: Layout): Values {
  const lines = layout.pages.flatMap((page) => page.blocks.flatMap((block) => blockLines(block).map(lineText)));
  const text = lines.join("\n");
  const behind = (labels: string, value: string): string | null =>
    new RegExp(`(?:${labels})[^\\n\\d]{0,20}?[:#\\s]\\s*(${value})`, "iu").exec(text)?.[1]?.trim() ?? null;
  const money = (labels: string): number | null => {
    const found = behind(labels, "[-(]?[€$£]?\\s?\\d[\\d.,' ]*\\d");
    if (found === null) return null;
    const digits = found.replace(/[^\d.,-]/g, "");
    const comma = digits.lastIndexOf(",") > digits.lastIndexOf(".");
    const value = Number(comma ? digits.replace(/\./g, "").replace(",", ".") : digits.replace(/,/g, ""));
    return Number.isFinite(value) ? value : null;
  };
  const date = (labels: string): string | null => {
    const found = behind(labels, "\\d{1,4}[./-]\\d{1,2}[./-]\\d{1,4}");
    const parts = found?.split(/[./-]/) ?? [];
    if (parts.length !== 3) return null;
    const [a = "", b = "", c = ""] = parts;
    const [year, month, day] = a.length === 4 ? [a, b, c] : found?.includes("/") ? [c, a, b] : [c, b, a];
    return `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  };
  const sign = /[€$£]|EUR|USD|GBP|CHF/.exec(text)?.[0];
  const codes: Record<string, string> = { "€": "EUR", $: "USD", "£": "GBP" };
  return {
    invoice_number: behind(
      "invoice (?:number|no\\.?|#)|rechnungs?-?(?:nummer|nr\\.?)|facture n°|factuurnummer",
      "[\\w/-]*\\d[\\w/-]*",
    ),
    issue_date: date("invoice date|rechnungsdatum|date|datum"),
    due_date: date("due date|fällig(?:keit|keitsdatum| am)?|échéance|vervaldatum"),
    seller: lines[0] ?? null,
    buyer: behind("bill to|customer|kunde|client", "\\p{L}[^\\n]{2,50}"),
    currency: sign === undefined ? null : (codes[sign] ?? sign),
    net_total: money("subtotal|netto(?:betrag)?|total ht|net"),
    tax_total: money("tax|vat|mwst|ust|tva|btw"),
    gross_total: money("total|gesamtbetrag|total ttc|totaal"),
    amount_due: money("amount due|balance due|zahlbetrag|net à payer"),
  };
}

interface Score {
  right: number;
  returned: number;
  stated: number;
}

function scoreOf(outcomes: readonly Outcome[]): Score {
  return {
    right: outcomes.filter(({ expected, got }) => isRight(expected, got)).length,
    returned: outcomes.filter(({ got }) => got !== null).length,
    stated: outcomes.length,
  };
}

/** The 95 % score interval of a share (E. B. Wilson, 1927). */
function wilson(hits: number, trials: number): string {
  if (trials === 0) return "–";
  const z = 1.96;
  const share = hits / trials;
  const centre = share + (z * z) / (2 * trials);
  const spread = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  const scale = 1 + (z * z) / trials;
  const [low, high] = [Math.max(0, centre - spread), Math.min(scale, centre + spread)];
  return `${(low / scale).toFixed(3)}–${(high / scale).toFixed(3)}`;
}

const share = (hits: number, trials: number): string => (trials === 0 ? "–" : (hits / trials).toFixed(3));

function row(name: string, outcomes: readonly Outcome[]): string {
  const { right, returned, stated } = scoreOf(outcomes);
  const cells = [
    share(right, stated),
    wilson(right, stated),
    share(right, returned),
    wilson(right, returned),
    `${right}/${returned}/${stated}`,
  ];
  return `${name.padEnd(16)}${cells.map((cell) => cell.padEnd(14)).join("")}`;
}

function report(title: string, outcomes: readonly Outcome[]): void {
  console.log(
    `\n${title}\n${"".padEnd(16)}${["recall", "95 %", "precision", "95 %", "right/returned/stated"].map((cell) => cell.padEnd(14)).join("")}`,
  );
  for (const key of KEYS)
    console.log(
      row(
        key,
        outcomes.filter((outcome) => outcome.key === key),
      ),
    );
  for (const language of [...new Set(outcomes.map((outcome) => outcome.language))].sort()) {
    console.log(
      row(
        `language ${language}`,
        outcomes.filter((outcome) => outcome.language === language),
      ),
    );
  }
  console.log(row("all", outcomes));
}

function outcomesOf(entry: Entry, values: Values): Outcome[] {
  const expected = entry.facts.expected_common ?? {};
  const language = entry.facts.language ?? path.basename(entry.path).slice(0, 2).replace("us", "en");
  return KEYS.flatMap((key) => {
    const value = expected[key];
    return value === undefined
      ? []
      : [{ file: path.basename(entry.path), language, key, expected: value, got: values[key] ?? null }];
  });
}

async function loadEntries(corpus: string): Promise<Entry[]> {
  const manifest = JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] };
  return manifest.files.filter(
    ({ path: file, facts }) =>
      file.startsWith("invoices/") &&
      file.endsWith(".pdf") &&
      (facts.text_layer_chars ?? 0) > 0 &&
      facts.expected_common !== undefined,
  );
}

interface Measured {
  ours: Outcome[];
  theirs: Outcome[];
  /** Milliseconds. */
  times: { file: string; read: number; extract: number }[];
  documents: number;
  stripped: number;
}

/** Reads and extracts every invoice of the corpus at `corpus` that has a text layer. */
async function measure(corpus: string): Promise<Measured> {
  const measured: Measured = { ours: [], theirs: [], times: [], documents: 0, stripped: 0 };
  for (const entry of await loadEntries(corpus)) {
    const clean = await stripAttachments(new Uint8Array(await readFile(path.join(corpus, entry.path))));
    const start = performance.now();
    const { layout } = await readDocument(clean.bytes, { mimeType: "application/pdf" });
    const read = performance.now();
    const { result } = extractOffline(layout, { schema: SCHEMA, granularity: "auto" });
    measured.times.push({ file: entry.path, read: read - start, extract: performance.now() - read });
    measured.documents += 1;
    measured.stripped += clean.stripped;
    const values = typeof result === "object" && result !== null && !Array.isArray(result) ? result : {};
    measured.ours.push(...outcomesOf(entry, values));
    measured.theirs.push(...outcomesOf(entry, naive(layout)));
  }
  return measured;
}

/** Exact-match recall and precision over the corpus at `corpus`. */
export async function scores(corpus: string): Promise<{ recall: number; precision: number }> {
  const { right, returned, stated } = scoreOf((await measure(corpus)).ours);
  return { recall: right / stated, precision: right / returned };
}

/** Runs the benchmark and prints it. `--corpus DIR` names the corpus, `../shared/corpus` unless given. */
export async function run(args: string[]): Promise<void> {
  const at = args.indexOf("--corpus");
  const corpus = at >= 0 ? (args[at + 1] ?? "") : path.join(import.meta.dirname, "../../shared/corpus");
  const { ours, theirs, times, documents, stripped } = await measure(corpus);
  console.log(
    `${documents} invoices with a text layer; ${stripped} embedded files taken out before reading (the reader never opens attachments anyway).`,
  );
  report("Extraction without a model", ours);
  printSpread(ours);
  report("Yardstick: first label, value behind it on the line", theirs);
  const [a, b] = [scoreOf(ours), scoreOf(theirs)];
  console.log(
    `\nRight values: ${a.right} beside ${b.right}, ${(a.right / Math.max(1, b.right)).toFixed(2)} times the yardstick`,
  );
  printWorst(ours);
  printTimes(times);
}

/** How much one document moves the figures: the lowest and highest with any one of them left out. */
function printSpread(outcomes: readonly Outcome[]): void {
  const files = [...new Set(outcomes.map(({ file }) => file))];
  const parts = files.map((file) => scoreOf(outcomes.filter((outcome) => outcome.file !== file)));
  const range = (values: number[]): string => `${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)}`;
  console.log(
    `any one document left out: recall ${range(parts.map(({ right, stated }) => right / stated))}, ` +
      `precision ${range(parts.map(({ right, returned }) => right / returned))}`,
  );
}

/** Wrong values before missing ones: a wrong one does more harm. */
function printWorst(outcomes: readonly Outcome[]): void {
  const failed = outcomes
    .filter(({ expected, got }) => !isRight(expected, got))
    .sort((x, y) => Number(x.got === null) - Number(y.got === null));
  console.log("\nTen worst (file, field, expected, got)");
  for (const { file, key, expected, got } of failed.slice(0, 10))
    console.log(`  ${file}  ${key}  ${JSON.stringify(expected)}  ${JSON.stringify(got)}`);
}

function printTimes(times: readonly { file: string; read: number; extract: number }[]): void {
  const sorted = times.map(({ extract }) => extract).sort((x, y) => x - y);
  const sum = (pick: (time: { read: number; extract: number }) => number): number =>
    times.reduce((total, time) => total + pick(time), 0);
  console.log(
    `\nTime per document: reading ${(sum((time) => time.read) / times.length).toFixed(0)} ms, extracting ${(sum((time) => time.extract) / times.length).toFixed(1)} ms ` +
      `(median ${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)}, slowest ${(sorted.at(-1) ?? 0).toFixed(1)})`,
  );
}
