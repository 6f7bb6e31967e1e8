/**
 * The open documents with tables whose rows are known from elsewhere than from our reader: line items that the corpus'
 * manifest states (from electronic invoices, or read by people) or that were read by eye for this bench; the rows of a
 * long report as `pdftotext -layout` prints them; tables of Markdown and Word files as their sources have them, those with
 * the same headings as one list.
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

interface Entry {
  path: string;
  facts: { expected?: { [name in "lines" | "line_items" | "items"]?: OpenRow[] } };
}

const REPORT = "long/warn-report-16p-one-table.pdf";
/** Three dates, names, a count, what it was. */
const REPORT_ROW = /^\s*(\S+\/\d{4})\s+(\S+\/\d{4})\s+(\S+\/\d{4})\s+\S.*?\s([\d,]+)\s+(Layoff|Closure)/;
/** Rows that make a list; columns that make a table. */
const FEWEST_ROWS = 3;
const FEWEST_COLUMNS = 2;
/** Characters of a heading that somebody would give to a property as its name. */
const LONGEST_NAME = 40;

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

/** A table with its headings on top. */
type Cells = string[][];

const plain = (text: string): string =>
  text
    .replace(/&nbsp;/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();

/** A cell of Markdown without its marks. */
const unmarked = (text: string): string =>
  plain(
    text
      .replace(/<(https?:[^>]*)>/g, "$1")
      .replace(/<[^>]*>/g, "")
      .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
      .replace(/\*\*|`|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "")
      .replace(/\\([|*_])/g, "$1"),
  );

function markdownTables(text: string): Cells[] {
  const tables: Cells[] = [];
  let open: Cells | undefined;
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
      .map(unmarked);
    if (open === undefined) {
      open = [];
      tables.push(open);
    }
    open.push(cells);
  }
  return tables;
}

const within = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<w:${name}(?: [^>]*)?>.*?</w:${name}>`, "gs"))].map(([match]) => match);

function wordTables(bytes: Uint8Array): Cells[] {
  const parts = unzipSync(bytes, { filter: ({ name }) => name === "word/document.xml" });
  const xml = strFromU8(parts["word/document.xml"] ?? new Uint8Array());
  const textOf = (cell: string): string =>
    plain(
      within(cell, "p")
        .map((paragraph) =>
          within(paragraph, "t")
            .map((run) => run.replace(/<[^>]*>/g, ""))
            .join(""),
        )
        .join(" "),
    );
  return within(xml, "tbl").map((table) => within(table, "tr").map((row) => within(row, "tc").map(textOf)));
}

/** Tables with the same headings are one list, in the order of the document. */
function listsOf(file: string, tables: readonly Cells[]): OpenTable[] {
  const lists = new Map<string, OpenRow[]>();
  for (const [heads = [], ...rows] of tables) {
    if (heads.length < FEWEST_COLUMNS || heads.some((head) => head === "" || head.length > LONGEST_NAME)) continue;
    const key = heads.join("|").toLowerCase();
    const own = lists.get(key) ?? [];
    lists.set(key, own);
    for (const row of rows) {
      const cells = heads.flatMap((head, at): [string, string][] => (row[at] ? [[head, row[at]]] : []));
      if (cells.length >= FEWEST_COLUMNS) own.push(Object.fromEntries(cells));
    }
  }
  return [...lists.values()].filter(({ length }) => length >= FEWEST_ROWS).map((lines) => ({ file, lines }));
}

/** What is a text or a number; a remark below a row is not a row. */
const rowsOf = (stated: readonly OpenRow[]): OpenRow[] =>
  stated
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => typeof value !== "object")))
    .filter((row) => Object.keys(row).length > 1);

async function tablesIn(corpus: string, { path: file, facts }: Entry, read: Readonly<Record<string, OpenRow[]>>) {
  const { lines, line_items, items } = facts.expected ?? {};
  const stated = rowsOf(lines ?? line_items ?? items ?? read[file] ?? []);
  if (stated.length > 0) return [{ file, lines: stated }];
  const full = path.join(corpus, file);
  if (file === REPORT) return [{ file, lines: reportRows(full) }];
  if (file.startsWith("hostile/")) return [];
  if (file.endsWith(".md")) return listsOf(file, markdownTables(await readFile(full, "utf8")));
  return file.endsWith(".docx") ? listsOf(file, wordTables(await readFile(full))) : [];
}

/** Every list of rows that is known of the corpus' documents. */
export async function openTables(corpus: string): Promise<OpenTable[]> {
  const manifest = JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] };
  const read = JSON.parse(await readFile(path.join(import.meta.dirname, "open-rows.json"), "utf8"));
  const found: OpenTable[] = [];
  for (const entry of manifest.files) found.push(...(await tablesIn(corpus, entry, read)));
  return found.filter(({ lines }) => lines.length > 0);
}
