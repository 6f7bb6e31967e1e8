/** The judged documents: real invoices, a real table over many pages, and generated documents; some as scans. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openLocalOcr } from "../../functions/adapters/local/ocr/local-ocr.ts";
import { lineText } from "../../functions/engine/layout/page-words.ts";
import { withTables } from "../../functions/engine/ocr/tables-of-recognised-text.ts";
import { renderPage } from "../../functions/engine/readers/pdf/render-page.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import type { Json } from "../../functions/ports/json.ts";
import { LAYOUT_VERSION, type Layout, type Page, type TableBlock } from "../../functions/ports/layout.ts";
import type { JudgedQuestion } from "../first-sight/measure.ts";
import type { FileKind } from "../first-sight/sets.ts";
import { CLEAN_DPI, degradeLikeScan } from "../ocr/pages.ts";
import { loadOthers } from "../offline/invoices.ts";
import { generateDocuments } from "./generated-documents.ts";
import { seenDocuments } from "./seen-documents.ts";
import { SINGLE_NAMES, type Values } from "./truths.ts";

export interface BenchDocument {
  /** Shared by all forms of one document: its text and its scan. */
  group: string;
  source: "corpus" | "generated";
  recognised: boolean;
  layout: Layout;
  /** Scans only: the layout of the drawn text. */
  drawn?: Layout;
  truth: Values;
  /** A question of its own, for the offline extractor alone. */
  question?: JudgedQuestion;
  /** Kind of the file in its set, such as `prose`. */
  kind?: FileKind;
  /** Wrong values of its question that the rules gave before they were worked on. */
  firstErrors?: FirstErrors;
}

/** By pointer: a wrong value, and the certainty of the rule that read it. */
export type FirstErrors = Record<string, [value: Json, found: number]>;

interface ManifestEntry {
  path: string;
  facts: { text_layer_chars?: number; scan?: boolean; expected?: Values; expected_common?: Values };
}

/** Recognised pages of one document, and the interval of generated documents that are scanned. */
const MAX_RECOGNISED_PAGES = 2;
const SCANNED_DOCUMENT_INTERVAL = 4;
/** Rows of the long table in one answer. */
const MAX_TABLE_ROWS = 60;
/** Assumed width of pictures without a resolution. */
const PICTURE_WIDTH_INCHES = 8.27;

export type Recognise = (picture: Uint8Array, frame: { width: number; height: number }, name: string) => Promise<Page>;

/**
 * Our own recognition, page by page.
 * @param cache folder that keeps recognised pages for later runs
 */
export function openRecognition(cache: string | null): { recognise: Recognise; close: () => Promise<void> } {
  const clock = systemClock();
  const ocr = openLocalOcr({
    clock,
    jobTimeoutSeconds: 300,
    langs: ["eng"],
    engine: "embedded",
    size: 1,
  });
  const recognise: Recognise = async (bytes, frame, name) => {
    const kept = cache === null ? null : path.join(cache, `${name.replace(/\W+/g, "-")}.json`);
    if (kept !== null && existsSync(kept)) return JSON.parse(await readFile(kept, "utf8")) as Page;
    const { page } = await ocr.recognize({ bytes, pageNumber: 1, frame }, "DEFAULT", {
      deadline: clock.now() + 300_000,
    });
    const known = withTables(page.page);
    if (kept !== null)
      await mkdir(path.dirname(kept), { recursive: true }).then(() => writeFile(kept, JSON.stringify(known)));
    return known;
  };
  return { recognise, close: () => ocr.close() };
}

const layoutOf = (pages: Page[]): Layout => ({
  v: LAYOUT_VERSION,
  provider: "recognised",
  logicalPages: false,
  pageCount: pages.length,
  pages: pages.map((page, at) => ({ ...page, number: at + 1 })),
});

/** The pages of a PDF as a poor scanner returns them, recognised. */
async function scannedLayout(bytes: Uint8Array, layout: Layout, name: string, recognise: Recognise): Promise<Layout> {
  const pages: Page[] = [];
  for (const [index, { width, height }] of layout.pages.slice(0, MAX_RECOGNISED_PAGES).entries()) {
    const picture = await renderPage(bytes, index, CLEAN_DPI);
    const png = await sharp(picture.rgba, { raw: { width: picture.width, height: picture.height, channels: 4 } })
      .removeAlpha()
      .png()
      .toBuffer();
    pages.push(await recognise(await degradeLikeScan(png), { width, height }, `${name} ${index}`));
  }
  return layoutOf(pages);
}

const NAMES_IN_MANIFEST: Record<string, string[]> = {
  description: ["name", "description"],
  quantity: ["quantity", "qty"],
  unit_price: ["unit_price", "price_unit"],
  amount: ["line_total", "amount", "price_subtotal"],
};

/** The rows of an invoice by our names; multi-line texts are left out. */
function linesOf(expected: Values): Values[] {
  const rows = Array.isArray(expected.lines) ? expected.lines : [];
  return rows.flatMap((row): Values[] => {
    if (typeof row !== "object" || row === null || Array.isArray(row)) return [];
    const line = Object.entries(NAMES_IN_MANIFEST).flatMap(([name, names]): [string, Json][] => {
      const value = names.map((one) => row[one]).find((one) => one !== undefined && one !== null);
      if (value === undefined || (name !== "description" && typeof value !== "number")) return [];
      return typeof value === "string" && value.includes("\n") ? [] : [[name, value]];
    });
    return line.length > 1 ? [Object.fromEntries(line)] : [];
  });
}

/**
 * Fields of the corpus' invoices that the manifest leaves out, as read by eye; null for those not stated. Ambiguous
 * fields are left out.
 */
const readStated = async (): Promise<Record<string, Values>> =>
  JSON.parse(await readFile(path.join(import.meta.dirname, "stated.json"), "utf8")) as Record<string, Values>;

function truthOf({ facts: { expected = {}, expected_common: common = {} } }: ManifestEntry, stated: Values): Values {
  const lines = linesOf(expected);
  const vat = expected.seller_vat_id ?? expected.vat;
  return {
    ...stated,
    ...common,
    ...(expected.iban === undefined ? {} : { iban: expected.iban }),
    ...(vat === undefined ? {} : { seller_vat_id: vat }),
    ...(lines.length === 0 ? {} : { lines }),
  };
}

async function* invoices(
  corpus: string,
  entries: readonly ManifestEntry[],
  recognise: Recognise | null,
): AsyncGenerator<BenchDocument> {
  const stated = await readStated();
  for (const entry of entries) {
    if (!entry.path.startsWith("invoices/") || entry.facts.expected_common === undefined) continue;
    const bytes = new Uint8Array(await readFile(path.join(corpus, entry.path)));
    const shared = { group: entry.path, source: "corpus" as const, truth: truthOf(entry, stated[entry.path] ?? {}) };
    if (!entry.path.endsWith(".pdf")) {
      const { width = 1, height = 1 } = await sharp(bytes).metadata();
      const frame = { width: PICTURE_WIDTH_INCHES, height: (PICTURE_WIDTH_INCHES * height) / width };
      if (recognise !== null)
        yield { ...shared, recognised: true, layout: layoutOf([await recognise(bytes, frame, entry.path)]) };
      continue;
    }
    const { layout } = await readDocument(bytes, { mimeType: "application/pdf" });
    if ((entry.facts.text_layer_chars ?? 0) > 0 && entry.facts.scan !== true)
      yield { ...shared, recognised: false, layout };
    if (recognise !== null)
      yield {
        ...shared,
        recognised: true,
        layout: await scannedLayout(bytes, layout, entry.path, recognise),
        drawn: layout,
      };
  }
}

/** The rows of tables as read: `npm run bench -- tables` measures how right they are. */
function tableRows({ cells, rows, headerRows, columns }: TableBlock): Values[] {
  const texts = new Map(cells.map(({ row, column, lines }) => [`${row} ${column}`, lines.map(lineText).join(" ")]));
  const names = Array.from({ length: columns }, (_, column) => {
    const heading = Array.from({ length: headerRows }, (_unused, row) => texts.get(`${row} ${column}`) ?? "").join(" ");
    return heading.trim() === "" ? `column ${column + 1}` : heading.trim();
  });
  return Array.from({ length: rows - headerRows }, (_, at) =>
    Object.fromEntries(
      names.flatMap((name, column) => {
        const text = texts.get(`${at + headerRows} ${column}`);
        return text === undefined || text === "" ? [] : [[name, text]];
      }),
    ),
  );
}

async function* longTable(corpus: string): AsyncGenerator<BenchDocument> {
  const bytes = new Uint8Array(await readFile(path.join(corpus, "long/warn-report-16p-one-table.pdf")));
  const { layout } = await readDocument(bytes, { mimeType: "application/pdf" });
  const [table] = layout.pages.flatMap(({ blocks }) => blocks.filter((block) => block.kind === "table"));
  if (table === undefined) return;
  yield {
    group: "long/warn-report",
    source: "corpus",
    recognised: false,
    layout,
    truth: { rows: tableRows(table).slice(0, MAX_TABLE_ROWS) },
  };
}

/** Names of single values that any document can be asked for, all unstated. */
const UNSTATED: Values = Object.fromEntries(SINGLE_NAMES.map((name) => [name, null]));

/** Blank forms, manuals, templates: whatever is read from them for a bill's fields is an invention. */
async function* blankDocuments(corpus: string): AsyncGenerator<BenchDocument> {
  const { others } = await loadOthers(corpus);
  for (const file of others) {
    const bytes = new Uint8Array(await readFile(path.join(corpus, file)));
    const { mimeType } = sniffDocument(bytes, undefined, path.basename(file));
    const { layout, pending } = await readDocument(bytes, { mimeType, mayBeEmpty: true });
    if (pending.length === 0) yield { group: file, source: "corpus", recognised: false, layout, truth: UNSTATED };
  }
}

/** Generated documents; one in four also as a scan. */
async function* generatedWithScans(
  count: { invoices: number; lists: number },
  recognise: Recognise | null,
): AsyncGenerator<BenchDocument> {
  let at = 0;
  for await (const { name, bytes, truth } of generateDocuments(count.invoices, count.lists)) {
    at += 1;
    const { layout } = await readDocument(bytes, { mimeType: "application/pdf" });
    const shared = { group: name, source: "generated" as const, truth };
    yield { ...shared, recognised: false, layout };
    if (recognise !== null && at % SCANNED_DOCUMENT_INTERVAL === 0)
      yield { ...shared, recognised: true, layout: await scannedLayout(bytes, layout, name, recognise), drawn: layout };
  }
}

/**
 * All documents: without the corpus only generated ones, without recognition only those with a text layer.
 * @param cache folder that keeps what was read for later runs
 */
export async function* benchDocuments(
  corpus: string,
  recognise: Recognise | null,
  cache: string | null,
): AsyncGenerator<BenchDocument> {
  const manifest = path.join(corpus, "MANIFEST.json");
  if (existsSync(manifest)) {
    const { files } = JSON.parse(await readFile(manifest, "utf8")) as { files: ManifestEntry[] };
    yield* invoices(corpus, files, recognise);
    yield* longTable(corpus);
    yield* blankDocuments(corpus);
  } else console.warn(`NOT MEASURED: the corpus is not at ${corpus}; only generated documents are judged`);
  yield* seenDocuments(recognise !== null, cache);
  yield* generatedWithScans({ invoices: 40, lists: 6 }, recognise);
}
