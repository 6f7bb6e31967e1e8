/** Long lists whose headings stand on the first page only: the open ones of the corpus, and drawn ones. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import type { Json } from "../../functions/ports/json.ts";
import { PDF, PLAIN_TEXT } from "../../functions/ports/media-types.ts";
import { generate, type LayoutName } from "../completeness/documents.ts";
import { type OpenRow, openTables } from "../completeness/open-truths.ts";
import { Typesetter } from "../completeness/typeset.ts";

export interface ListDocument {
  name: string;
  bytes: Uint8Array;
  mimeType: string;
  /** An object with the list. */
  schema: Json;
  /** The list's name in the schema. */
  list: string;
  /** The property that identifies a row, for overlapping chunks. */
  key: string;
  /** Rows that the document prints. */
  rows: number;
}

/** Open documents with fewer rows are not long. */
const MIN_OPEN_ROWS = 30;

/** Layouts with headings on the first page only, and the numbers of their rows: 4 to 60 pages. */
const DRAWN: readonly [LayoutName, number][] = [
  ["header-once", 180],
  ["header-once", 1_500],
  ["page-spanning", 140],
  ["page-spanning", 600],
  ["last-alone", 190],
  ["header-once", 2_850],
];
/** Pages of drawn price lists, and rows of each. */
const PRICE_LISTS: readonly [pages: number, rows: number][] = [
  [4, 35],
  [16, 35],
  [60, 20],
];

/** Distance of the rows of drawn price lists. */
const ROW_POINTS = 16;

const objectOf = (list: string, items: Json): Json => ({
  type: "object",
  properties: { [list]: { type: "array", items } },
});

function schemaOfRows(lines: readonly OpenRow[]): Json {
  const types = new Map(lines.flatMap((line) => Object.entries(line)).map(([name, value]) => [name, typeof value]));
  const properties = Object.fromEntries(
    [...types].map(([name, type]) => [name, { type: type === "number" ? "number" : "string" }]),
  );
  return objectOf("lines", { type: "object", properties });
}

/** A report of one table over 16 pages, its headings on the first one; its rows are printed with seven cells. */
const REPORT = { file: "long/warn-report-16p-one-table.pdf", rows: 597, key: "company" };
const REPORT_PROPERTIES = {
  notice_date: { type: "string" },
  effective_date: { type: "string" },
  received_date: { type: "string" },
  company: { type: "string" },
  city: { type: "string" },
  no_of_employees: { type: "integer" },
  layoff_closure: { type: "string" },
};

/** The corpus' long lists, as far as their rows are known. */
export async function* openLists(corpus: string): AsyncGenerator<ListDocument> {
  yield {
    name: path.basename(REPORT.file),
    bytes: await readFile(path.join(corpus, REPORT.file)),
    mimeType: PDF,
    schema: objectOf("notices", { type: "object", properties: REPORT_PROPERTIES }),
    list: "notices",
    key: REPORT.key,
    rows: REPORT.rows,
  };
  for (const { file, lines } of await openTables(corpus)) {
    const [first] = lines;
    if (file === REPORT.file || lines.length < MIN_OPEN_ROWS || first === undefined) continue;
    const bytes = await readFile(path.join(corpus, file));
    const { mimeType } = sniffDocument(bytes, undefined, path.basename(file));
    const [key = ""] = Object.keys(first);
    yield {
      name: path.basename(file),
      bytes,
      mimeType,
      schema: schemaOfRows(lines),
      list: "lines",
      key,
      rows: lines.length,
    };
  }
}

/** A price list whose headings stand on its first page, below its title. */
async function drawnPriceList(pages: number, rows: number): Promise<ListDocument> {
  const set = new Typesetter();
  const columns = [50, 200, 350];
  const write = (texts: readonly string[], bold = false): void => {
    for (const [at, text] of texts.entries()) set.text(text, columns[at] ?? 0, set.y, { size: 11, bold });
    set.y -= ROW_POINTS;
  };
  for (let number = 1; number <= pages * rows; number += 1) {
    if (number % rows === 1) set.begin("Price list");
    if (number === 1) write(["SKU", "Quantity", "Price"], true);
    write([`SKU-${number}`, String(1 + ((number * 7) % 90)), (number + 0.5).toFixed(2)]);
  }
  const properties = { sku: { type: "string" }, qty: { type: "integer" }, price: { type: "number" } };
  return {
    name: `price-list ${pages} pages`,
    bytes: await set.pdf(),
    mimeType: PDF,
    schema: objectOf("items", { type: "object", properties }),
    list: "items",
    key: "sku",
    rows: pages * rows,
  };
}

/** Lines of fixed-width columns. */
function plainText(rows: number): ListDocument {
  const lines = Array.from({ length: rows }, (_, at) => ({ sku: `KD-${1000 + at * 7}`, amount: 10.5 + at * 3 }));
  const text = [
    `${"Article no.".padEnd(16)}${"Name".padEnd(20)}${"Amount".padStart(12)}`,
    ...lines.map(
      ({ sku, amount }, at) => `${sku.padEnd(16)}${`Pump type ${at}`.padEnd(20)}${amount.toFixed(2).padStart(12)}`,
    ),
  ].join("\n");
  const properties = { article_number: { type: "string" }, name: { type: "string" }, amount: { type: "number" } };
  return {
    name: `plain text ${rows}`,
    bytes: Buffer.from(text),
    mimeType: PLAIN_TEXT,
    schema: objectOf("lines", { type: "object", properties }),
    list: "lines",
    key: "article_number",
    rows,
  };
}

export async function* drawnLists(): AsyncGenerator<ListDocument> {
  for (const [pages, rows] of PRICE_LISTS) yield drawnPriceList(pages, rows);
  for (const [layout, rows] of DRAWN) {
    const { bytes, mimeType, schema } = await generate(layout, rows, rows + 1);
    yield { name: `${layout} ${rows}`, bytes, mimeType, schema, list: "line_items", key: "article_number", rows };
  }
  yield plainText(800);
}
