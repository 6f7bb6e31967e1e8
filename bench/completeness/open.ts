/**
 * The open documents with tables whose rows are known from elsewhere: line items that the corpus' manifest states (taken
 * from electronic invoices or read by people), and the rows of a long report as `pdftotext -layout` prints them. Each is
 * given as a complete answer, which must not be called short, and again without each of its rows in turn.
 */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Receipt } from "../../functions/core/extraction/receipt/report.ts";
import type { Json } from "../../functions/core/ports.ts";
import { engine } from "./measure.ts";

interface Entry {
  path: string;
  facts: { text_layer_chars?: number; expected?: { lines?: { [name: string]: Json }[] } };
}

interface OpenTable {
  file: string;
  lines: { [name: string]: Json }[];
}

const REPORT = "long/warn-report-16p-one-table.pdf";
/** Three dates, names, a count, what it was. */
const REPORT_ROW = /^\s*(\S+\/\d{4})\s+(\S+\/\d{4})\s+(\S+\/\d{4})\s+\S.*?\s([\d,]+)\s+(Layoff|Closure)/;
/** Rows of a document that are left out in turn. */
const MOST_TURNS = 25;

const LIMITS = { deadline: Number.POSITIVE_INFINITY };

function reportRows(file: string): OpenTable["lines"] {
  const { stdout } = spawnSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return stdout.split("\n").flatMap((line) => {
    const match = REPORT_ROW.exec(line);
    if (match === null) return [];
    const [, notice_date = "", effective_date = "", received_date = "", count = "", layoff_or_closure = ""] = match;
    const employees = Number(count.replaceAll(",", ""));
    return [{ notice_date, effective_date, received_date, employees, layoff_or_closure }];
  });
}

/** Lines of the manifest as a user would want them: what is a text or a number. */
async function openTables(corpus: string): Promise<OpenTable[]> {
  const manifest = JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] };
  const known = manifest.files.flatMap(({ path: file, facts }): OpenTable[] => {
    const all = facts.expected?.lines ?? [];
    const printed = file.endsWith(".pdf") && (facts.text_layer_chars ?? 0) > 100;
    // A remark below a row is not a row.
    const lines = all.filter((line) => Object.keys(line).length > 1);
    return printed && lines.length > 0 ? [{ file, lines }] : [];
  });
  const report = reportRows(path.join(corpus, REPORT));
  return report.length === 0 ? known : [...known, { file: REPORT, lines: report }];
}

function schemaOf(lines: OpenTable["lines"]): Json {
  const names = new Map<string, string>();
  for (const line of lines) for (const [name, value] of Object.entries(line)) names.set(name, typeof value);
  const properties = Object.fromEntries(
    [...names].map(([name, type]) => [name, { type: type === "number" ? "number" : "string" }]),
  );
  const items = { type: "object", properties };
  return { type: "object", properties: { lines: { type: "array", items } } };
}

export interface OpenOutcome {
  file: string;
  rows: number;
  /** Said of the complete answer. */
  falselyMissing: number;
  /** Answers without one row, and those of them that were called short by one row. */
  turns: number;
  named: number;
  counted: boolean;
}

async function measureTable(corpus: string, { file, lines }: OpenTable): Promise<OpenOutcome> {
  const bytes = await readFile(path.join(corpus, file));
  const { layout } = await engine.read(bytes, { mimeType: "application/pdf", ocr: "NONE" }, LIMITS);
  const schema = schemaOf(lines);
  const receiptOf = async (rows: OpenTable["lines"]): Promise<Receipt | undefined> => {
    const result = Buffer.from(JSON.stringify({ lines: rows }));
    const { sources } = await engine.locate(layout, result, { granularity: "auto", schema }, LIMITS);
    const request = { granularity: "auto" as const, schema };
    return (await engine.rows.receipt({ layout, result, sources, request }, LIMITS)).receipt;
  };
  const complete = await receiptOf(lines);
  const step = Math.max(1, Math.ceil(lines.length / MOST_TURNS));
  const turns = [...lines.keys()].filter((at) => at % step === 0);
  let named = 0;
  for (const turn of turns) {
    const receipt = await receiptOf(lines.filter((_, at) => at !== turn));
    if (receipt !== undefined && receipt.expected - receipt.returned === 1) named += 1;
  }
  return {
    file,
    rows: lines.length,
    falselyMissing: complete === undefined ? 0 : complete.expected - complete.returned,
    turns: turns.length,
    named,
    counted: complete?.lists[0]?.counted ?? false,
  };
}

export async function measureOpenTables(corpus: string): Promise<OpenOutcome[]> {
  const outcomes: OpenOutcome[] = [];
  for (const table of await openTables(corpus)) outcomes.push(await measureTable(corpus, table));
  return outcomes;
}
