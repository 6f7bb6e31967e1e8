/**
 * Measures whether chunks lose rows of a table whose headings stand on the first page only: each list is extracted
 * without a model as a whole, and in chunks of 1, 3 and 7 pages, with and without overlap, one after the other and
 * concurrently, and until a chunk is empty. The yardstick is the same document as a whole.
 *
 *     npm run bench -- chunks [--corpus DIR] [--only NAME]
 *
 * Exit code 1 unless each run in chunks has at least 0.99 of the rows and cells of the whole (no more, no others), an
 * equal receipt, and no end at a page that holds rows.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { parseConfig } from "../bin/local/config.ts";
import { startService } from "../bin/local/service.ts";
import { SheafClient } from "../client/index.ts";
import type { Receipt } from "../functions/engine/completeness/completeness-report.ts";
import type { SourceLocations } from "../functions/engine/layout/source-locations.ts";
import { isObject, type Json, type JsonObject } from "../functions/ports/json.ts";
import { drawnLists, type ListDocument, openLists } from "./chunks/documents.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import { atLeast, noneFound, requireAll } from "./support/holds.ts";
import { optionOf } from "./support/options.ts";

const MIN_SHARE = 0.99;
const API_KEY = "bench-key-of-chunks";

interface Variant {
  name: string;
  /** Members of `mapReduce`. */
  settings: { pagesPerChunk?: number; overlapPages?: number; parallelProcessing?: boolean; stopWhenEmpty?: boolean };
}

const VARIANTS: readonly Variant[] = [
  ...[
    [1, 0],
    [3, 0],
    [3, 1],
    [7, 0],
    [7, 1],
  ].flatMap(([pagesPerChunk = 1, overlapPages = 0]) =>
    [false, true].map((parallel) => ({
      name: `${pagesPerChunk} pages, overlap ${overlapPages}, ${parallel ? "parallel" : "sequential"}`,
      settings: { pagesPerChunk, overlapPages, parallelProcessing: parallel },
    })),
  ),
  { name: "1 pages, until empty", settings: { stopWhenEmpty: true } },
];

interface Extraction {
  status: string;
  rows: JsonObject[];
  /** The page on which each row begins. */
  pages: number[];
  receipt: Receipt | undefined;
  /** The page of the empty chunk that ended the run; chunks of a run that may stop have one page. */
  stopPage: number | undefined;
  seconds: number;
}

/** The page on which each item of a list begins; that of the item before for one without places. */
function beginnings({ locations }: Pick<SourceLocations, "locations">, list: string, count: number): number[] {
  const first = new Map<number, number>();
  for (const [pointer, { pageAnchors }] of Object.entries(locations)) {
    const [, name, index] = pointer.split("/");
    if (name !== list) continue;
    for (const { pageNumber } of pageAnchors)
      first.set(Number(index), Math.min(pageNumber, first.get(Number(index)) ?? pageNumber));
  }
  let page = 1;
  return Array.from({ length: count }, (_, at) => {
    page = first.get(at) ?? page;
    return page;
  });
}

interface JobInChunks {
  status: string;
  receipt?: Receipt;
  runs: { startedAt: string; completedAt: string }[];
  mapReduceStatus?: { terminationChunkIndex: number | null };
}

/** Runs a command over an uploaded document. */
async function extract(client: SheafClient, guid: string, command: JsonObject, list: string): Promise<Extraction> {
  await client.process(guid, { ...command, sourceLocations: true });
  const job = await client.wait(guid);
  const { status, receipt, runs, mapReduceStatus } = job as unknown as JobInChunks;
  const [last] = runs.slice(-1);
  const data = (await client.resultJson(guid)).json as Json;
  const sources = (await client.sourceLocations(guid)) as Pick<SourceLocations, "locations">;
  const given = isObject(data) ? data[list] : undefined;
  const rows = Array.isArray(given) ? given.filter(isObject) : [];
  const stop = mapReduceStatus?.terminationChunkIndex ?? undefined;
  return {
    status,
    rows,
    pages: beginnings(sources, list, rows.length),
    receipt,
    stopPage: stop === undefined ? undefined : stop + 1,
    seconds: (Date.parse(last?.completedAt ?? "") - Date.parse(last?.startedAt ?? "")) / 1000,
  };
}

/** Texts that both have, each as often as the rarer one, as a share of those of the longer list. */
function commonShare(one: readonly string[], other: readonly string[]): number {
  const open = new Map<string, number>();
  for (const text of one) open.set(text, (open.get(text) ?? 0) + 1);
  let common = 0;
  for (const text of other) {
    const left = open.get(text) ?? 0;
    if (left > 0) common += 1;
    open.set(text, left - 1);
  }
  const most = Math.max(one.length, other.length);
  return most === 0 ? 1 : common / most;
}

const rowTexts = (rows: readonly JsonObject[]): string[] => rows.map((row) => JSON.stringify(row));
const cellTexts = (rows: readonly JsonObject[]): string[] =>
  rows.flatMap((row) => Object.entries(row).map(([name, value]) => `${name} ${JSON.stringify(value)}`));

const receiptText = (receipt: Receipt | undefined): string =>
  receipt === undefined
    ? "none"
    : JSON.stringify([
        receipt.expected,
        receipt.returned,
        receipt.missing.map(({ text }) => text),
        receipt.missingPages,
      ]);

interface Outcome {
  /** Rows of the whole. */
  found: number;
  rows: number;
  cells: number;
  sameReceipt: boolean;
  stoppedAtRows: boolean;
}

/** Compares a run in chunks with the whole, up to the page at which it stopped. */
function compare(whole: Extraction, chunked: Extraction): Outcome {
  const { stopPage = Number.POSITIVE_INFINITY } = chunked;
  const rows = whole.rows.filter((_, at) => (whole.pages[at] ?? 0) <= stopPage);
  const isWhole = chunked.stopPage === undefined;
  return {
    found: whole.rows.length,
    rows: commonShare(rowTexts(rows), rowTexts(chunked.rows)),
    cells: commonShare(cellTexts(rows), cellTexts(chunked.rows)),
    sameReceipt:
      !isWhole || (receiptText(whole.receipt) === receiptText(chunked.receipt) && whole.status === chunked.status),
    stoppedAtRows: whole.pages.includes(stopPage),
  };
}

function report(name: string, chunked: Extraction, { rows, cells, sameReceipt, stoppedAtRows }: Outcome): void {
  const receipt = `${chunked.receipt?.returned ?? "-"}/${chunked.receipt?.expected ?? "-"}`;
  const remarks = [
    sameReceipt ? "" : "RECEIPT DIFFERS",
    chunked.stopPage === undefined ? "" : `stopped at page ${chunked.stopPage}`,
    stoppedAtRows ? "WHICH HOLDS ROWS" : "",
  ];
  const counts = `${String(chunked.rows.length).padStart(5)} rows ${rows.toFixed(3)}  cells ${cells.toFixed(3)}`;
  console.log(
    `  ${name.padEnd(34)} ${counts}  receipt ${receipt.padEnd(11)} ${chunked.status.padEnd(9)} ${chunked.seconds.toFixed(1).padStart(5)} s  ${remarks.join(" ")}`,
  );
}

async function measure(client: SheafClient, document: ListDocument): Promise<Outcome[]> {
  const { schema, list, key, mimeType, bytes, rows } = document;
  const { guid } = await client.upload(new File([Buffer.from(bytes)], document.name, { type: mimeType }));
  const whole = await extract(client, guid, { schema }, list);
  const counted = `${whole.receipt?.returned ?? "-"}/${whole.receipt?.expected ?? "-"}`;
  console.log(
    `\n${document.name}: ${rows} rows; as a whole ${whole.rows.length} rows, receipt ${counted}, ${whole.seconds.toFixed(1)} s`,
  );
  const outcomes: Outcome[] = [];
  for (const { name, settings } of VARIANTS) {
    const overlap = (settings.overlapPages ?? 0) > 0 ? { dedupKey: key } : {};
    const mapReduce = { enabled: true, ...settings, ...overlap };
    const chunked = await extract(client, guid, { schema, mapReduce }, "records");
    const outcome = compare(whole, chunked);
    outcomes.push(outcome);
    report(name, chunked, outcome);
  }
  return outcomes;
}

async function measureAll(client: SheafClient, args: string[]): Promise<Outcome[]> {
  const corpus = corpusFolder(args);
  const only = optionOf(args, "--only");
  const outcomes: Outcome[] = [];
  const lists = [drawnLists(), ...(canMeasure(corpus) ? [openLists(corpus)] : [])];
  for (const documents of lists) {
    for await (const document of documents) {
      if (only === undefined || document.name.includes(only)) outcomes.push(...(await measure(client, document)));
    }
  }
  return outcomes;
}

export async function run(args: string[]): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "sheaf-bench-chunks-"));
  const keys = { SHEAF_API_KEYS: `1:${API_KEY}:read+write`, SHEAF_LOG: "error" };
  const config = parseConfig({ PORT: "0", SHEAF_DATA_DIR: dataDir, ...keys });
  const service = await startService({ config, log: new Writable({ write: (_chunk, _encoding, done) => done() }) });
  let outcomes: Outcome[];
  try {
    outcomes = await measureAll(new SheafClient({ apiUrl: service.url, token: API_KEY }), args);
  } finally {
    await service.close(1_000);
    rmSync(dataDir, { recursive: true, force: true });
  }
  const least = (of: (outcome: Outcome) => number): number => Math.min(...outcomes.map(of));
  requireAll([
    noneFound("Lists without a row as a whole", outcomes.filter(({ found }) => found === 0).length),
    atLeast(
      "Rows in chunks as a share of the whole",
      least(({ rows }) => rows),
      MIN_SHARE,
    ),
    atLeast(
      "Cells in chunks as a share of the whole",
      least(({ cells }) => cells),
      MIN_SHARE,
    ),
    noneFound("Receipts or statuses in chunks that differ", outcomes.filter(({ sameReceipt }) => !sameReceipt).length),
    noneFound("Runs that stopped at a page with rows", outcomes.filter(({ stoppedAtRows }) => stoppedAtRows).length),
  ]);
}
