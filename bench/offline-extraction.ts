/**
 * How well extraction without a model reads invoices: exact-match recall and precision by field, language and kind of
 * document over the corpus' PDFs and pictures, beside a naive label-and-value reader; line items cell by cell; the boxes
 * of what was found; and what it finds on documents that are no invoices.
 * `npm run bench -- offline-extraction [--corpus DIR] [--no-pictures]`.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { extractOffline } from "../functions/core/extraction/offline.ts";
import type { Json } from "../functions/core/ports.ts";
import { type BoxScore, scoreBoxes } from "./offline/boxes.ts";
import { type Invoice, KEYS, loadInvoices, loadOthers, SCHEMA, type Values } from "./offline/invoices.ts";
import { itemSchema, scoreItems } from "./offline/items.ts";
import { naive } from "./offline/naive.ts";
import { type BenchReader, openBenchReader } from "./offline/reading.ts";
import {
  header,
  isRight,
  type Outcome,
  report,
  row,
  type Score,
  scoreOf,
  share,
  spread,
  wilson,
} from "./offline/score.ts";
import { corpusFolder } from "./support/corpus.ts";

interface Time {
  /** Milliseconds. */
  read: number;
  extract: number;
}

interface ItemScore extends Score {
  file: string;
  items: number;
  statedItems: number;
}

interface Measured {
  ours: Outcome[];
  theirs: Outcome[];
  items: ItemScore[];
  boxes: BoxScore;
  times: Time[];
  stripped: number;
}

const outcomesOf = (invoice: Invoice, values: Values): Outcome[] =>
  KEYS.flatMap((key) => {
    const expected = invoice.common[key];
    if (expected === undefined) return [];
    const { path: file, language, scan, doubtful } = invoice;
    const flagged = doubtful?.keys.includes(key) ?? false;
    return [{ file: path.basename(file), language, scan, key, expected, got: values[key] ?? null, doubtful: flagged }];
  });

const objectOf = (result: Json): { [name: string]: Json } =>
  typeof result === "object" && result !== null && !Array.isArray(result) ? result : {};

async function measureInvoice(invoice: Invoice, file: string, reader: BenchReader, into: Measured): Promise<void> {
  const start = performance.now();
  const { layout, stripped, recognised } = await reader.read(file);
  const read = performance.now();
  const extraction = extractOffline(layout, { schema: SCHEMA, granularity: "word" });
  into.times.push({ read: read - start, extract: performance.now() - read });
  into.stripped += stripped;
  into.ours.push(...outcomesOf(invoice, objectOf(extraction.result)));
  into.theirs.push(...outcomesOf(invoice, naive(layout)));
  const boxes = [scoreBoxes(extraction.result, extraction.sources, layout, recognised > 0 ? null : file)];
  if (invoice.lines.length > 0) {
    const lines = extractOffline(layout, { schema: itemSchema(invoice.lines), granularity: "word" });
    boxes.push(scoreBoxes(lines.result, lines.sources, layout, recognised > 0 ? null : file));
    const score = scoreItems(invoice.lines, objectOf(lines.result).lines ?? null);
    into.items.push({ file: path.basename(file), ...score, statedItems: invoice.lines.length });
  }
  for (const { found, right, misses } of boxes) {
    into.boxes.found += found;
    into.boxes.right += right;
    into.boxes.misses.push(...misses.map((miss) => `${path.basename(file)} ${miss}`));
  }
}

async function measure(corpus: string, invoices: readonly Invoice[], reader: BenchReader): Promise<Measured> {
  const measured: Measured = {
    ours: [],
    theirs: [],
    items: [],
    boxes: { found: 0, right: 0, misses: [] },
    times: [],
    stripped: 0,
  };
  for (const invoice of invoices) await measureInvoice(invoice, path.join(corpus, invoice.path), reader, measured);
  return measured;
}

/** Exact-match recall and precision over the invoices with a text layer of the corpus at `corpus`. */
export async function scores(corpus: string): Promise<{ recall: number; precision: number }> {
  const reader = openBenchReader(false);
  const invoices = (await loadInvoices(corpus)).filter(({ scan }) => !scan);
  const { right, returned, stated } = scoreOf((await measure(corpus, invoices, reader)).ours);
  return { recall: right / stated, precision: right / returned };
}

/** Runs the benchmark and prints it. `--corpus DIR` names the corpus, `../shared/corpus` unless given. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!existsSync(path.join(corpus, "MANIFEST.json"))) {
    console.warn(`NOT MEASURED: the corpus is not at ${corpus}`);
    return;
  }
  const pictures = !args.includes("--no-pictures");
  const reader = openBenchReader(pictures);
  try {
    const invoices = (await loadInvoices(corpus)).filter(({ scan }) => pictures || !scan);
    const measured = await measure(corpus, invoices, reader);
    printInvoices(invoices, measured);
    printItems(measured.items);
    printBoxes(measured.boxes);
    await printOthers(corpus, reader);
    printUnscored(invoices);
    printTimes(measured.times);
  } finally {
    await reader.close();
  }
}

function printInvoices(invoices: readonly Invoice[], { ours, theirs, stripped }: Measured): void {
  const scans = invoices.filter(({ scan }) => scan).length;
  console.log(
    `${invoices.length} invoices, ${scans} of them pictures (recognised by the embedded engine, in English); ` +
      `${stripped} embedded files taken out before reading: an e-invoice carries its own answers.`,
  );
  report("Extraction without a model", ours, KEYS);
  console.log(spread(ours));
  report("Yardstick: first label, value behind it on the line", theirs, KEYS);
  const [a, b] = [scoreOf(ours), scoreOf(theirs)];
  console.log(
    `\nRight values: ${a.right} beside ${b.right}, ${(a.right / Math.max(1, b.right)).toFixed(2)} times the yardstick`,
  );
  printWorst(ours);
}

const WORST = 14;

/** Wrong values before missing ones: a wrong one does more harm. */
function printWorst(outcomes: readonly Outcome[]): void {
  const failed = outcomes
    .filter(({ expected, got }) => !isRight(expected, got))
    .sort((x, y) => Number(x.got === null) - Number(y.got === null));
  console.log("\nWhat is wrong, then what is missing (file, field, expected, got)");
  for (const { file, key, expected, got, doubtful } of failed.slice(0, WORST))
    console.log(
      `  ${file}  ${key}  ${JSON.stringify(expected)}  ${JSON.stringify(got)}${doubtful ? "  (flagged)" : ""}`,
    );
}

function printItems(items: readonly ItemScore[]): void {
  console.log(`\nLine items, cell by cell, under the names that the truth gives them\n${header()}`);
  const total = { right: 0, returned: 0, stated: 0, items: 0, statedItems: 0 };
  for (const score of items) {
    console.log(`${row("", score)}  ${score.items} of ${score.statedItems} items  ${score.file}`);
    for (const key of ["right", "returned", "stated", "items", "statedItems"] as const) total[key] += score[key];
  }
  console.log(`${row("all", total)}  ${total.items} of ${total.statedItems} items`);
}

const SHOWN_BOXES = 12;

function printBoxes({ found, right, misses }: BoxScore): void {
  console.log(
    `\nBoxes: ${right} of ${found} found values (${share(right, found)}, 95 % ${wilson(right, found)}) have a box whose text is the value; ` +
      "judged by poppler's words where there is a text layer, by the recognised words where there is none",
  );
  for (const miss of misses.slice(0, SHOWN_BOXES)) console.log(`  ${miss}`);
}

/** Every value of an invoice on a document that is none counts as false, a printed currency too. */
async function printOthers(corpus: string, reader: BenchReader): Promise<void> {
  const { others, bills } = await loadOthers(corpus);
  const byKey = new Map<string, number>();
  const shown: string[] = [];
  let clean = 0;
  for (const file of others) {
    const { layout } = await reader.read(path.join(corpus, file));
    const { result } = extractOffline(layout, { schema: SCHEMA, granularity: "word" });
    const given = Object.entries(objectOf(result)).filter(([, value]) => value !== null);
    for (const [key] of given) byKey.set(key, (byKey.get(key) ?? 0) + 1);
    if (given.length === 0) clean += 1;
    const telling = given.filter(([key]) => key !== "currency");
    if (telling.length > 0)
      shown.push(`  ${file}  ${telling.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(", ")}`);
  }
  const all = [...byKey.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `\nNo invoices: ${all} false values on ${others.length} documents of ${KEYS.length} fields each, none at all on ${clean} ` +
      `(${[...byKey].map(([key, count]) => `${key} ${count}`).join(", ")}); left out as bills: ${bills.join(", ")}`,
  );
  for (const line of shown) console.log(line);
}

function printUnscored(invoices: readonly Invoice[]): void {
  console.log("\nFlagged: what the truth states contradicts itself, so nothing is changed to please it");
  for (const { path: file, doubtful } of invoices)
    if (doubtful !== null) console.log(`  ${path.basename(file)}  ${doubtful.keys.join(", ")}: ${doubtful.why}`);
  console.log("\nNot scored");
  for (const { path: file, unscored } of invoices)
    for (const why of unscored) console.log(`  ${path.basename(file)}  ${why}`);
}

function printTimes(times: readonly Time[]): void {
  const sorted = times.map(({ extract }) => extract).sort((x, y) => x - y);
  const sum = (pick: (time: Time) => number): number => times.reduce((total, time) => total + pick(time), 0);
  console.log(
    `\nTime per document: reading ${(sum((time) => time.read) / times.length).toFixed(0)} ms, extracting ${(sum((time) => time.extract) / times.length).toFixed(1)} ms ` +
      `(median ${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)}, slowest ${(sorted.at(-1) ?? 0).toFixed(1)})`,
  );
}
