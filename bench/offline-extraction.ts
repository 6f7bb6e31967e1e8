/**
 * Extraction without a model on invoices, as the service gives it, beside all values that its rules read: exact-match recall and precision by field, language and kind of document over
 * the corpus' PDFs and pictures, compared with a naive label-and-value reader; line items cell by cell; the boxes of
 * found values; and false values on documents that are not invoices. Exits with code 1 when recall, precision or boxes
 * miss their goals.
 * `npm run bench -- offline-extraction [--corpus DIR] [--no-pictures]`.
 */
import path from "node:path";
import { performance } from "node:perf_hooks";
import { scoreOf, shareOf } from "../client/eval/score.ts";
import { MIN_OFFLINE_CONFIDENCE } from "../functions/engine/confidence/withhold-unsure.ts";
import type { Json } from "../functions/ports/json.ts";
import { type BoxScore, type JudgeName, scoreBoxes } from "./offline/boxes.ts";
import { INVOICE_SCHEMA, type Invoice, loadInvoices, loadOthers, VALUE_KEYS } from "./offline/invoices.ts";
import { itemSchema, itemsFound, type JudgedValue, judgeItems, judgeValues } from "./offline/judged.ts";
import { readNaively } from "./offline/naive.ts";
import { type BenchReader, openBenchReader } from "./offline/reading.ts";
import { extractSure } from "./offline/sure.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import { atLeast, requireAll } from "./support/holds.ts";
import { scoreLines, spreadLine, worstLines } from "./support/scores.ts";

/** Recall and precision over all values of the manifest; share of found values whose box contains them. */
const MIN_SHARES = { recall: 0.85, precision: 0.92, boxes: 0.95 };

interface ReadingTimes {
  /** In milliseconds. */
  read: number;
  extract: number;
}

interface InvoiceMeasurements {
  ours: JudgedValue[];
  /** All values that the rules read, sure or not. */
  read: JudgedValue[];
  theirs: JudgedValue[];
  items: JudgedValue[];
  readItems: JudgedValue[];
  boxes: BoxScore;
  times: ReadingTimes[];
  stripped: number;
}

const objectOf = (result: Json): { [name: string]: Json } =>
  typeof result === "object" && result !== null && !Array.isArray(result) ? result : {};

async function measureInvoice(
  invoice: Invoice,
  file: string,
  reader: BenchReader,
  into: InvoiceMeasurements,
): Promise<void> {
  const start = performance.now();
  const { bytes, layout, stripped, recognised } = await reader.read(file);
  const read = performance.now();
  const { given, read: all } = extractSure(layout, INVOICE_SCHEMA);
  into.times.push({ read: read - start, extract: performance.now() - read });
  into.stripped += stripped;
  into.ours.push(...judgeValues(invoice, objectOf(given.result)));
  into.read.push(...judgeValues(invoice, objectOf(all.result)));
  into.theirs.push(...judgeValues(invoice, readNaively(layout)));
  const truths = [...Object.values(invoice.common), ...invoice.lines.flatMap((line) => Object.values(line))];
  const document = { file, bytes, layout, recognised, truths };
  const boxes = [await scoreBoxes(given.result, given.sources, document)];
  if (invoice.lines.length > 0) {
    const lines = extractSure(layout, itemSchema(invoice.lines));
    boxes.push(await scoreBoxes(lines.given.result, lines.given.sources, document));
    into.items.push(...judgeItems(invoice, objectOf(lines.given.result).lines ?? null));
    into.readItems.push(...judgeItems(invoice, objectOf(lines.read.result).lines ?? null));
  }
  for (const { judged, misses } of boxes) {
    into.boxes.judged.push(...judged);
    into.boxes.misses.push(...misses.map((miss) => `${path.basename(file)} ${miss}`));
  }
}

async function measure(
  corpus: string,
  invoices: readonly Invoice[],
  reader: BenchReader,
): Promise<InvoiceMeasurements> {
  const measured: InvoiceMeasurements = {
    ours: [],
    read: [],
    theirs: [],
    items: [],
    readItems: [],
    boxes: { judged: [], misses: [] },
    times: [],
    stripped: 0,
  };
  for (const invoice of invoices) await measureInvoice(invoice, path.join(corpus, invoice.path), reader, measured);
  return measured;
}

export interface Figures {
  recall: number;
  precision: number;
  /** Share of found values whose box contains the value. */
  boxes: number;
}

function figuresOf({ ours, boxes: { judged } }: InvoiceMeasurements): Figures {
  const { recall, precision } = scoreOf(ours);
  const boxes = shareOf(judged.filter(({ right }) => right).length, judged.length);
  return { recall: recall.share ?? 0, precision: precision.share ?? 0, boxes: boxes.share ?? 0 };
}

/**
 * Exact-match recall and precision, and the boxes, over the invoices of the corpus at `corpus`.
 * @param pictures true to recognise and count invoices without a text layer
 */
export async function scores(corpus: string, pictures: boolean): Promise<Figures> {
  const reader = openBenchReader(pictures);
  try {
    const invoices = (await loadInvoices(corpus)).filter(({ scan }) => pictures || !scan);
    return figuresOf(await measure(corpus, invoices, reader));
  } finally {
    await reader.close();
  }
}

/** Runs the benchmark and prints it. `--corpus DIR` names the corpus, `../shared/corpus` unless given. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const pictures = !args.includes("--no-pictures");
  const reader = openBenchReader(pictures);
  try {
    const invoices = (await loadInvoices(corpus)).filter(({ scan }) => pictures || !scan);
    const measured = await measure(corpus, invoices, reader);
    printInvoices(invoices, measured);
    printItems(invoices, measured.items);
    printThreshold(measured);
    printBoxes(measured.boxes);
    await printOthers(corpus, reader);
    printUnscored(invoices);
    printTimes(measured.times);
    const { recall, precision, boxes } = figuresOf(measured);
    requireAll([
      atLeast("recall of all stated values", recall, MIN_SHARES.recall),
      atLeast("precision of all returned values", precision, MIN_SHARES.precision),
      atLeast("found values with a box that says them", boxes, MIN_SHARES.boxes),
    ]);
  } finally {
    await reader.close();
  }
}

function printInvoices(invoices: readonly Invoice[], { ours, theirs, stripped }: InvoiceMeasurements): void {
  const scans = invoices.filter(({ scan }) => scan).length;
  console.log(
    `${invoices.length} invoices, ${scans} of them pictures (recognised by the embedded engine, in English); ` +
      `${stripped} embedded files taken out before reading: an e-invoice carries its own answers.`,
  );
  const print = (title: string, outcomes: readonly JudgedValue[]): void => {
    const by = {
      language: ({ language }: JudgedValue) => language,
      from: ({ scan }: JudgedValue) => (scan ? "pictures" : "text layers"),
      truth: ({ doubtful }: JudgedValue) => (doubtful ? "flagged" : "sound"),
    };
    console.log(`\n${scoreLines(title, outcomes, by).join("\n")}`);
  };
  print("Extraction without a model", ours);
  console.log(
    `${spreadLine(ours)}. Nothing is learned from these documents, so there is nothing to learn again without each of them.`,
  );
  print("Yardstick: first label, value behind it on the line", theirs);
  const [a, b] = [scoreOf(ours), scoreOf(theirs)];
  console.log(
    `\nRight values: ${a.right} beside ${b.right}, ${(a.right / Math.max(1, b.right)).toFixed(2)} times the yardstick`,
  );
  console.log("\nWhat is wrong, then what is missing (file, field, expected, got)");
  for (const line of worstLines(ours, MAX_PRINTED_ITEMS)) console.log(line);
}

const MAX_PRINTED_ITEMS = 14;

function printItems(invoices: readonly Invoice[], cells: readonly JudgedValue[]): void {
  const title = "\nLine items, cell by cell, under the names that the truth gives them";
  for (const line of scoreLines(title, cells, { "": ({ document }) => document })) console.log(line);
  console.log(`${itemsFound(cells)} of ${invoices.reduce((sum, { lines }) => sum + lines.length, 0)} items are found`);
}

/** Recall and precision with the threshold and without it. */
function printThreshold({ ours, read, items, readItems }: InvoiceMeasurements): void {
  console.log(`\nThe threshold: values below a confidence of ${MIN_OFFLINE_CONFIDENCE} are null`);
  const print = (name: string, values: readonly JudgedValue[]): void => {
    const { recall, precision } = scoreOf(values);
    console.log(`  ${name.padEnd(34)}recall ${spanOf(recall)}  precision ${spanOf(precision)}`);
  };
  print("values, with it", ours);
  print("values, without it", read);
  print("cells of line items, with it", items);
  print("cells of line items, without it", readItems);
}

const spanOf = ({ hits, of, share, interval }: ReturnType<typeof shareOf>): string =>
  `${hits} of ${of} (${share?.toFixed(3) ?? "–"}, 95 % ${interval.low.toFixed(3)}–${interval.high.toFixed(3)})`;

const MAX_PRINTED_BOXES = 12;

const JUDGE_DESCRIPTIONS: Record<JudgeName, string> = {
  poppler: "by poppler's words of the text layer",
  pdfium: "by pdfium's text in the box, as poppler is not installed",
  tesseract: "by tesseract's program on the cut-out picture",
  "the manifest": "by the manifest's truth and our own words, as tesseract's program is not installed",
};

function printBoxes({ judged, misses }: BoxScore): void {
  const line = (own: BoxScore["judged"]): string =>
    spanOf(shareOf(own.filter(({ right }) => right).length, own.length));
  console.log(`\nBoxes: ${line(judged)} found values have a box whose text is the value, signs included`);
  for (const [judge, own] of Map.groupBy(judged, (one) => one.judge))
    console.log(`  ${line(own)} ${JUDGE_DESCRIPTIONS[judge]}`);
  for (const miss of misses.slice(0, MAX_PRINTED_BOXES)) console.log(`  ${miss}`);
}

/** On a document that is not an invoice every value counts as false, even a printed currency. */
async function printOthers(corpus: string, reader: BenchReader): Promise<void> {
  const { others, bills } = await loadOthers(corpus);
  const byKey = new Map<string, number>();
  const shown: string[] = [];
  let clean = 0;
  let read = 0;
  for (const file of others) {
    const { layout } = await reader.read(path.join(corpus, file));
    const extraction = extractSure(layout, INVOICE_SCHEMA);
    const valuesIn = (result: Json) => Object.entries(objectOf(result)).filter(([, value]) => value !== null);
    const given = valuesIn(extraction.given.result);
    read += valuesIn(extraction.read.result).length;
    for (const [key] of given) byKey.set(key, (byKey.get(key) ?? 0) + 1);
    if (given.length === 0) clean += 1;
    const telling = given.filter(([key]) => key !== "currency");
    if (telling.length > 0)
      shown.push(`  ${file}  ${telling.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(", ")}`);
  }
  const all = [...byKey.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `\nNo invoices: ${all} false values (${read} without the threshold) on ${others.length} documents of ${VALUE_KEYS.length} fields each, none at all on ${clean} ` +
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

function printTimes(times: readonly ReadingTimes[]): void {
  const sorted = times.map(({ extract }) => extract).sort((x, y) => x - y);
  const sum = (pick: (time: ReadingTimes) => number): number => times.reduce((total, time) => total + pick(time), 0);
  console.log(
    `\nTime per document: reading ${(sum((time) => time.read) / times.length).toFixed(0)} ms, extracting ${(sum((time) => time.extract) / times.length).toFixed(1)} ms ` +
      `(median ${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)}, slowest ${(sorted.at(-1) ?? 0).toFixed(1)})`,
  );
}
