/**
 * Whether a table can be lost in silence: generated tables of 25 to 6,400 rows in thirteen layouts, read from PDFs, lists
 * of up to 400 rows in ten other shapes, from pairs to cards and newspaper columns, and
 * lists that other programs set, from CSV to recognised pictures; extracted by the service's own steps with a model server
 * that drops rows at random, loses whole pages, gives rows twice and is cut off; and the open documents whose rows are known. Beside it what one plain call with the same server returns, which
 * a service without receipts calls completed.
 *
 *     npm run bench -- completeness [--most ROWS] [--corpus DIR]
 *
 * Two figures must hold: a run has every row or names exactly how many are missing and on which pages, in all runs; a
 * complete result is called short in at most 2 % of runs. The third, time by row, shows whether work grows linearly.
 */
import { existsSync } from "node:fs";
import { type Layout, pageWords } from "../functions/core/documents/layout.ts";
import { writeLayout } from "../functions/core/documents/layout-file.ts";
import { itemsOf, type Row, schemaOf, type TrueRow } from "./completeness/articles.ts";
import { generate, LAYOUTS } from "./completeness/documents.ts";
import { type ModelServer, startServer } from "./completeness/http.ts";
import { engine, measure, type Outcome, plainRecall } from "./completeness/measure.ts";
import { measureOpenTables, type OpenOutcome } from "./completeness/open.ts";
import { otherDocuments, SHIPMENT } from "./completeness/others.ts";
import type { Faults } from "./completeness/server.ts";
import { generateShape, SHAPES } from "./completeness/shapes.ts";
import { openBenchReader } from "./offline/reading.ts";
import { corpusFolder } from "./support/corpus.ts";

const SIZES = [25, 100, 400, 1_600, 6_400];
/** Nobody prints longer lists in shapes that are no tables. */
const LONGEST_SHAPE = 400;
/** Sizes at which every layout meets every fault; larger ones take turns, so that the bench ends. */
const MOST_CROSSED = 100;
const FALSE_SHORTFALLS = 0.02;
/** Exponent of time by rows up to which growth counts as linear. */
const LINEAR = 1.15;

const FAULTS: readonly Faults[] = [
  { name: "none", drop: 0 },
  { name: "1 % dropped", drop: 0.01 },
  { name: "10 % dropped", drop: 0.1 },
  { name: "50 % dropped", drop: 0.5 },
  { name: "90 % dropped", drop: 0.9 },
  { name: "99 % dropped", drop: 0.99 },
  { name: "half the pages", drop: 0, dropPages: 0.5 },
  { name: "half the sections", drop: 0, dropSections: 0.5 },
  { name: "the last third", drop: 0, tail: 0.34 },
  { name: "given twice", drop: 0.1, repeat: 0.2 },
  { name: "cut off", drop: 0.05, cut: 0.3 },
];

interface Run {
  rows: number;
  /** Of the generated ones, or what else set the list. */
  layout: string;
  faults: Faults;
  outcome: Outcome;
  plain: number;
}

/** Pages of `1-3,7`. */
function pagesOf(ranges: string): Set<number> {
  return new Set(
    ranges.split(",").flatMap((range) => {
      const [from = 0, to = from] = range.split("-").map(Number);
      return Array.from({ length: to - from + 1 }, (_, at) => from + at);
    }),
  );
}

/** Nothing is lost, or the status, the count and the pages say what is. */
function isHonest({ status, lost, lostPages, receipt }: Outcome): boolean {
  if (status === "FAILED") return true;
  if (lost === 0) return true;
  if (status !== "PARTIAL" || receipt === undefined || receipt.expected - receipt.returned !== lost) return false;
  const named = pagesOf(receipt.missingPages ?? "");
  return lostPages.every((page) => named.has(page));
}

const criesWolf = ({ status, lost, receipt }: Outcome): boolean =>
  lost === 0 && (status === "PARTIAL" || (receipt !== undefined && receipt.expected !== receipt.returned));

async function runAll(server: ModelServer, most: number): Promise<Run[]> {
  const runs: Run[] = [];
  let turn = 0;
  for (const rows of SIZES.filter((size) => size <= most)) {
    const made = [
      ...LAYOUTS.map((name) => () => generate(name, rows, rows + 1)),
      ...(rows <= LONGEST_SHAPE ? SHAPES : []).map((name) => () => generateShape(name, rows, rows + 1)),
    ];
    for (const make of made) {
      const document = await make();
      const { layout } = await engine.read(
        document.bytes,
        { mimeType: document.mimeType, ocr: "NONE" },
        { deadline: Number.POSITIVE_INFINITY },
      );
      turn += 1;
      const other = FAULTS[1 + (turn % (FAULTS.length - 1))];
      const chosen = rows <= MOST_CROSSED ? FAULTS : FAULTS.filter((one) => one.name === "none" || one === other);
      for (const faults of chosen) {
        const seed = rows * 31 + turn;
        const outcome = await measure(document, layout, faults, seed, server);
        runs.push({ rows, layout: document.name, faults, outcome, plain: plainRecall(document, faults, seed) });
      }
    }
    process.stderr.write(`${rows} rows: done\n`);
  }
  return runs;
}

/** Where the rows of a list that something else set stand, as the reader has its pages. */
function placed(rows: readonly Row[], layout: Layout): TrueRow[] {
  const pages = layout.pages.map((page) => ({
    number: page.number,
    words: new Set(pageWords(page).map(({ text }) => text)),
  }));
  let page = 1;
  return rows.map((row) => {
    // What recognition spoiled stands where the row before stands.
    page = pages.find(({ words }) => words.has(String(row.tracking)))?.number ?? page;
    return { page, row };
  });
}

/** Lists that other programs set, with every fault. */
async function runOthers(server: ModelServer): Promise<Run[]> {
  const runs: Run[] = [];
  const reader = openBenchReader(true);
  try {
    for await (const { name, bytes, mimeType, rows } of otherDocuments()) {
      const read = (await reader.readBytes(bytes, mimeType)).layout;
      const truth = { shipments: placed(rows, read) };
      const layout = writeLayout(read);
      const document = { name, bytes, mimeType, truth, schema: schemaOf({ shipments: itemsOf(SHIPMENT) }) };
      for (const [at, faults] of FAULTS.entries()) {
        const outcome = await measure(document, layout, faults, rows.length + at, server);
        runs.push({
          rows: rows.length,
          layout: name,
          faults,
          outcome,
          plain: plainRecall(document, faults, rows.length + at),
        });
      }
    }
  } finally {
    await reader.close();
  }
  process.stderr.write("other programs' lists: done\n");
  return runs;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function tellFaults(runs: readonly Run[]): void {
  console.log("fault              runs  recall  plain call  completed  partial  failed  honest");
  for (const { name } of FAULTS) {
    const own = runs.filter(({ faults }) => faults.name === name);
    const count = (status: Outcome["status"]): number => own.filter(({ outcome }) => outcome.status === status).length;
    const cells = [
      name.padEnd(17),
      String(own.length).padStart(5),
      mean(own.filter(({ outcome }) => outcome.status !== "FAILED").map(({ outcome }) => outcome.recall))
        .toFixed(3)
        .padStart(7),
      mean(own.map(({ plain }) => plain))
        .toFixed(3)
        .padStart(11),
      String(count("COMPLETED")).padStart(10),
      String(count("PARTIAL")).padStart(8),
      String(count("FAILED")).padStart(7),
      `${own.filter(({ outcome }) => isHonest(outcome)).length}/${own.length}`.padStart(7),
    ];
    console.log(cells.join(" "));
  }
}

/** Milliseconds by row, and the exponent with which time grows: the slope of a line through the logarithms. */
function tellTimes(runs: readonly Run[]): void {
  const points = SIZES.flatMap((rows) => {
    const own = runs.filter((run) => run.rows === rows && run.faults.drop < 0.5);
    return own.length === 0 ? [] : [{ rows, ms: mean(own.map(({ outcome }) => outcome.milliseconds)) }];
  });
  for (const { rows, ms } of points) console.log(`${rows} rows: ${(ms / rows).toFixed(2)} ms a row`);
  // Small documents take what every document takes.
  const large = points.filter(({ rows }) => rows >= 100).map(({ rows, ms }) => [Math.log(rows), Math.log(ms)] as const);
  if (large.length < 2) return;
  const [x, y] = [mean(large.map(([at]) => at)), mean(large.map(([, at]) => at))];
  const slope =
    large.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / large.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
  console.log(`time grows with rows to the power of ${slope.toFixed(2)}${slope > LINEAR ? " (NOT LINEAR)" : ""}`);
}

/** @returns losses that stayed silent */
async function tellOpenTables(corpus: string): Promise<number> {
  if (!existsSync(corpus)) {
    console.warn(`NO CORPUS at ${corpus}: the open documents are left out`);
    return 0;
  }
  const tables = await measureOpenTables(corpus);
  console.log("\nopen documents: rows, rows falsely missing of the complete answer, one row left out and named");
  for (const { file, rows, falselyMissing, turns, named, counted } of tables)
    console.log(
      `${file.padEnd(44)} ${String(rows).padStart(4)} ${String(falselyMissing).padStart(4)}   ${named}/${turns}${counted ? "" : "  (its rows cannot be counted)"}`,
    );
  const sum = (of: (table: OpenOutcome) => number): number => tables.reduce((total, table) => total + of(table), 0);
  const short = tables.filter(({ falselyMissing }) => falselyMissing > 0).length;
  console.log(
    `${tables.length} lists of ${new Set(tables.map(({ file }) => file)).size} open documents: complete answers called short ${short}; a row left out: named exactly in ${sum(({ named }) => named)} of ${sum(({ turns }) => turns)} turns, silent in ${sum(({ silent }) => silent)}`,
  );
  return sum(({ silent }) => silent);
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const at = args.indexOf("--most");
  const most = at >= 0 ? Number(args[at + 1]) : Number.POSITIVE_INFINITY;
  await using server = await startServer();
  const runs = [...(await runAll(server, most)), ...(await runOthers(server))];
  tellFaults(runs);
  const complete = runs.filter(({ outcome }) => outcome.status !== "FAILED" && outcome.lost === 0);
  const wolves = complete.filter(({ outcome }) => criesWolf(outcome));
  const silent = runs.filter(({ outcome }) => !isHonest(outcome));
  const extra = runs.filter(({ outcome }) => outcome.extra > 0);
  console.log(`\n${runs.length} runs; every row or the shortfall named: ${percent(1 - silent.length / runs.length)}`);
  const share = wolves.length / Math.max(1, complete.length);
  console.log(`complete results called short: ${wolves.length} of ${complete.length} (${percent(share)})`);
  console.log(`results with rows that are not printed, or more often than they are: ${extra.length}`);
  for (const { rows, layout, faults, outcome } of [...silent, ...wolves, ...extra].slice(0, 20))
    console.log(
      `  ${rows} ${layout}, ${faults.name}: ${outcome.status}, ${outcome.lost} lost, receipt ${outcome.receipt?.expected}/${outcome.receipt?.returned}, ${outcome.extra} extra`,
    );
  for (const { rows, layout, faults, outcome } of runs.filter((one) => one.outcome.status === "FAILED").slice(0, 10))
    console.log(`  ${rows} ${layout}, ${faults.name}: ${outcome.error}`);
  tellTimes(runs);
  const open = await tellOpenTables(corpusFolder(args));
  const holds = silent.length === 0 && open === 0 && share <= FALSE_SHORTFALLS;
  console.log(holds ? "\nno shortfall is silent" : "\nNOT WHAT MUST HOLD");
}
