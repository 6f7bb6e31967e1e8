/**
 * Tables of the open documents whose rows are known independently of our reader: line items that the corpus' manifest
 * states (from electronic invoices, or read by people) or that were read by eye for this bench; the rows of a long
 * report as printed by `pdftotext -layout`; tables of Markdown and Word files as in their sources, those with the same
 * headings as one list.
 */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { strFromU8, unzipSync } from "fflate";
import type { Json } from "../../functions/ports/json.ts";

export type OpenRow = { [name: string]: Json };

export interface OpenTable {
  file: string;
  lines: OpenRow[];
}

interface ManifestEntry {
  path: string;
  facts: { expected?: { [name in "lines" | "line_items" | "items"]?: OpenRow[] } };
}

const REPORT_FILE = "long/warn-report-16p-one-table.pdf";
/** Three dates, names, a count, and the kind of event. */
const REPORT_ROW = /^\s*(\S+\/\d{4})\s+(\S+\/\d{4})\s+(\S+\/\d{4})\s+\S.*?\s([\d,]+)\s+(Layoff|Closure)/;
/** Minimum rows of a list, and columns of a table. */
const MIN_LIST_ROWS = 3;
const MIN_TABLE_COLUMNS = 2;
/** Longest heading that serves as a property name. */
const MAX_HEADING_CHARACTERS = 40;

function reportRows(file: string): OpenRow[] {
  const { stdout } = spawnSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return (stdout ?? "").split("\n").flatMap((line) => {
    const match = REPORT_ROW.exec(line);
    if (match === null) return [];
    const [, notice_date = "", effective_date = "", received_date = "", count = "", layoff_or_closure = ""] = match;
    const employees = Number(count.replaceAll(",", ""));
    return [{ notice_date, effective_date, received_date, employees, layoff_or_closure }];
  });
}

/** A table, its headings in the first row. */
type TableCells = string[][];

const plainText = (text: string): string =>
  text
    .replace(/&nbsp;/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();

/** The text of a Markdown cell without its markup. */
const withoutMarkdown = (text: string): string =>
  plainText(
    text
      .replace(/<(https?:[^>]*)>/g, "$1")
      .replace(/<[^>]*>/g, "")
      .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
      .replace(/\*\*|`|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "")
      .replace(/\\([|*_])/g, "$1"),
  );

function markdownTables(text: string): TableCells[] {
  const tables: TableCells[] = [];
  let open: TableCells | undefined;
  for (const line of text.split("\n")) {
    if (!/^\s*\|.*\|\s*$/.test(line)) {
      open = undefined;
      continue;
    }
    if (/^[\s|:-]+$/.test(line)) continue;
    const cells = line
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map(withoutMarkdown);
    if (open === undefined) {
      open = [];
      tables.push(open);
    }
    open.push(cells);
  }
  return tables;
}

const elementsIn = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<w:${name}(?: [^>]*)?>.*?</w:${name}>`, "gs"))].map(([match]) => match);

function wordTables(bytes: Uint8Array): TableCells[] {
  const parts = unzipSync(bytes, { filter: ({ name }) => name === "word/document.xml" });
  const xml = strFromU8(parts["word/document.xml"] ?? new Uint8Array());
  const textOf = (cell: string): string =>
    plainText(
      elementsIn(cell, "p")
        .map((paragraph) =>
          elementsIn(paragraph, "t")
            .map((run) => run.replace(/<[^>]*>/g, ""))
            .join(""),
        )
        .join(" "),
    );
  return elementsIn(xml, "tbl").map((table) => elementsIn(table, "tr").map((row) => elementsIn(row, "tc").map(textOf)));
}

/** Joins tables with the same headings to one list, in the order of the document. */
function listsOf(file: string, tables: readonly TableCells[]): OpenTable[] {
  const lists = new Map<string, OpenRow[]>();
  for (const [heads = [], ...rows] of tables) {
    if (heads.length < MIN_TABLE_COLUMNS || heads.some((head) => head === "" || head.length > MAX_HEADING_CHARACTERS))
      continue;
    const key = heads.join("|").toLowerCase();
    const own = lists.get(key) ?? [];
    lists.set(key, own);
    for (const row of rows) {
      const cells = heads.flatMap((head, at): [string, string][] => (row[at] ? [[head, row[at]]] : []));
      if (cells.length >= MIN_TABLE_COLUMNS) own.push(Object.fromEntries(cells));
    }
  }
  return [...lists.values()].filter(({ length }) => length >= MIN_LIST_ROWS).map((lines) => ({ file, lines }));
}

/** Keeps texts and numbers; a remark below a row is no row. */
const rowsOf = (stated: readonly OpenRow[]): OpenRow[] =>
  stated
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => typeof value !== "object")))
    .filter((row) => Object.keys(row).length > 1);

async function tablesIn(
  corpus: string,
  { path: file, facts }: ManifestEntry,
  read: Readonly<Record<string, OpenRow[]>>,
) {
  const { lines, line_items, items } = facts.expected ?? {};
  const stated = rowsOf(lines ?? line_items ?? items ?? read[file] ?? []);
  if (stated.length > 0) return [{ file, lines: stated }];
  const full = path.join(corpus, file);
  if (file === REPORT_FILE) return [{ file, lines: reportRows(full) }];
  if (file.startsWith("hostile/")) return [];
  if (file.endsWith(".md")) return listsOf(file, markdownTables(await readFile(full, "utf8")));
  return file.endsWith(".docx") ? listsOf(file, wordTables(await readFile(full))) : [];
}

/** All known lists of rows in the corpus. */
export async function openTables(corpus: string): Promise<OpenTable[]> {
  const manifest = JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: ManifestEntry[] };
  const read = JSON.parse(await readFile(path.join(import.meta.dirname, "open-rows.json"), "utf8"));
  const found: OpenTable[] = [];
  for (const entry of manifest.files) found.push(...(await tablesIn(corpus, entry, read)));
  return found.filter(({ lines }) => lines.length > 0);
}
