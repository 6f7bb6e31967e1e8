/**
 * Measures whether a table can be lost in silence: generated tables of 25 to 6,400 rows in thirteen layouts, read from
 * PDFs; lists of up to 400 rows in ten other shapes, from pairs to cards and newspaper columns; lists set by other
 * programs, from CSV to recognised pictures. They are extracted by the service's own steps with a model server that
 * drops rows at random, loses whole pages, gives rows twice, is cut off, or replaces the rows it loses by nulls,
 * placeholders or made-up values. Also the open documents whose rows are known. The yardstick is one plain call to the
 * same server, which a service without receipts calls completed.
 *
 *     npm run bench -- completeness [--most ROWS] [--corpus DIR]
 *
 * Exit code 1 unless: every run has all rows or names exactly how many are missing and on which pages; at most 2 % of
 * the complete results are called short; no result has rows that are not printed; time grows linearly with rows.
 */
import { existsSync } from "node:fs";
import { type Share, shareOf } from "../client/eval/score.ts";
import { parseLayout, writeLayout } from "../functions/engine/layout/layout-file.ts";
import { readTask } from "../functions/engine/tasks/read.ts";
import { itemsOf, schemaOf } from "./completeness/articles.ts";
import { generate, LAYOUTS } from "./completeness/documents.ts";
import type { Faults } from "./completeness/losing-model.ts";
import { engine, measureExtraction, type Outcome, plainRecall } from "./completeness/measure-extraction.ts";
import { type ModelServer, startModelServer } from "./completeness/model-server.ts";
import { measureOpenTables, type OpenOutcome } from "./completeness/open-documents.ts";
import { otherDocuments, SHIPMENT } from "./completeness/other-programs.ts";
import { withPages } from "./completeness/row-pages.ts";
import { generateShape, SHAPES } from "./completeness/shapes.ts";
import { openBenchReader } from "./offline/reading.ts";
import { corpusFolder } from "./support/corpus.ts";
import { noneFound, type RequirementLine, requireAll } from "./support/holds.ts";

const SIZES = [25, 100, 400, 1_600, 6_400];
/** Nobody prints longer lists in shapes other than tables. */
const MAX_SHAPE_ROWS = 400;
/** Up to this size every layout meets every fault; larger ones take turns, so that the bench ends. */
const MAX_FULLY_CROSSED_ROWS = 100;
const MAX_FALSE_SHORTFALL_SHARE = 0.02;
/**
 * Exponent of time by rows up to which growth counts as linear: allows for other load on the machine, not for a square.
 */
const MAX_LINEAR_EXPONENT = 1.3;

/** Prompts that restrict no rows, though their words do in other sentences. */
const PROMPTS_FOR_ALL_ROWS = [
  "Extract ALL items from the document, do not skip any row.",
  "Extract every row of the table. Do not include currency symbols in amounts.",
  "List all items; skip the totals row.",
  "Amounts with at most 2 decimals, only numbers. The table continues after page 1.",
  "Extrahiere alle Positionen, nur Zahlen ohne Währung",
  "Extrais toutes les lignes, sauf les en-têtes",
];

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
  { name: "null rows", drop: 0.5, standIn: "nulls" },
  { name: "placeholders", drop: 0.5, standIn: "placeholders" },
  { name: "made-up rows", drop: 0.9, standIn: "made up" },
  { name: "told all", drop: 0.5, prompts: PROMPTS_FOR_ALL_ROWS },
];
/** Faults that every layout meets at its smallest size only. */
const FAULTS_AT_SMALLEST_SIZE = new Set(["null rows", "placeholders", "made-up rows", "told all"]);

interface Run {
  rows: number;
  /** A generated layout, or the program that set the list. */
  layout: string;
  faults: Faults;
  outcome: Outcome;
  plain: number;
}

/** Parses page ranges such as `1-3,7`. */
function pagesOf(ranges: string): Set<number> {
  return new Set(
    ranges.split(",").flatMap((range) => {
      const [from = 0, to = from] = range.split("-").map(Number);
      return Array.from({ length: to - from + 1 }, (_, at) => from + at);
    }),
  );
}

/** Items that stand nowhere and are missing in the receipt. */
const countUnreportedExtras = ({ extra, receipt }: Outcome): number =>
  Math.abs(extra - (receipt?.lists ?? []).reduce((sum, list) => sum + (list.unplaced ?? 0), 0));

/** Nothing is lost, or status, count and pages name the loss. All documents are valid: none may fail. */
function isHonest({ status, lost, lostPages, receipt }: Outcome): boolean {
  if (status === "FAILED") return false;
  if (lost === 0) return true;
  if (status !== "PARTIAL" || receipt === undefined || receipt.expected - receipt.returned !== lost) return false;
  const named = pagesOf(receipt.missingPages ?? "");
  return lostPages.every((page) => named.has(page));
}

const isFalseShortfall = ({ status, lost, receipt }: Outcome): boolean =>
  lost === 0 && (status === "PARTIAL" || (receipt !== undefined && receipt.expected !== receipt.returned));

async function runAll(server: ModelServer, most: number): Promise<Run[]> {
  const runs: Run[] = [];
  let turn = 0;
  for (const rows of SIZES.filter((size) => size <= most)) {
    const makers = [
      ...LAYOUTS.map((name) => () => generate(name, rows, rows + 1)),
      ...(rows <= MAX_SHAPE_ROWS ? SHAPES : []).map((name) => () => generateShape(name, rows, rows + 1)),
    ];
    for (const make of makers) {
      const made = await make();
      const { layout } = await engine.run(
        readTask,
        { bytes: made.bytes, options: { mimeType: made.mimeType, ocr: "NONE" } },
        { deadline: Number.POSITIVE_INFINITY },
      );
      const document = { ...made, truth: withPages(made, parseLayout(layout)) };
      turn += 1;
      const other = FAULTS[1 + (turn % (FAULTS.length - 1))];
      const crossed = FAULTS.filter(
        (one) => rows === SIZES[0] || one === other || !FAULTS_AT_SMALLEST_SIZE.has(one.name),
      );
      const chosen =
        rows <= MAX_FULLY_CROSSED_ROWS ? crossed : FAULTS.filter((one) => one.name === "none" || one === other);
      for (const faults of chosen) {
        const seed = rows * 31 + turn;
        const outcome = await measureExtraction(document, layout, faults, seed, server);
        runs.push({ rows, layout: document.name, faults, outcome, plain: plainRecall(document, faults, seed) });
      }
    }
    process.stderr.write(`${rows} rows: done\n`);
  }
  return runs;
}

/** Lists set by other programs, with every fault. */
async function runOthers(server: ModelServer): Promise<Run[]> {
  const runs: Run[] = [];
  const reader = openBenchReader(true);
  try {
    for await (const { name, bytes, mimeType, rows } of otherDocuments()) {
      const read = (await reader.readBytes(bytes, mimeType)).layout;
      const shipments = rows.map((row) => ({ page: 1, row }));
      const truth = withPages({ truth: { shipments }, named: "tracking" }, read);
      const layout = writeLayout(read);
      const document = { name, bytes, mimeType, truth, schema: schemaOf({ shipments: itemsOf(SHIPMENT) }) };
      for (const [at, faults] of FAULTS.entries()) {
        const outcome = await measureExtraction(document, layout, faults, rows.length + at, server);
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
const formatPercent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const formatShare = ({ hits, of, share, interval: { low, high } }: Share): string =>
  `${hits} of ${of} (${formatPercent(share ?? 0)}, 95 % ${formatPercent(low)} to ${formatPercent(high)})`;

function printFaults(runs: readonly Run[]): void {
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

const mustBeRare = (name: string, share: Share): RequirementLine => ({
  name: `${name}: ${formatPercent(MAX_FALSE_SHORTFALL_SHARE)} at most`,
  ok: (share.share ?? 0) <= MAX_FALSE_SHORTFALL_SHARE,
  found: formatShare(share),
});

/** @returns the exponent of growth: the slope of a line through the logarithms; null for too few sizes */
function printTimes(runs: readonly Run[]): number | null {
  const points = SIZES.flatMap((rows) => {
    const own = runs.filter((run) => run.rows === rows && run.faults.drop < 0.5);
    return own.length === 0 ? [] : [{ rows, ms: mean(own.map(({ outcome }) => outcome.milliseconds)) }];
  });
  for (const { rows, ms } of points) console.log(`${rows} rows: ${(ms / rows).toFixed(2)} ms a row`);
  // Small documents are dominated by the cost of any document.
  const large = points.filter(({ rows }) => rows >= 100).map(({ rows, ms }) => [Math.log(rows), Math.log(ms)] as const);
  if (large.length < 2) return null;
  const [x, y] = [mean(large.map(([at]) => at)), mean(large.map(([, at]) => at))];
  const slope =
    large.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / large.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
  console.log(`time grows with rows to the power of ${slope.toFixed(2)}`);
  return slope;
}

/** The requirements for the open documents. */
async function printOpenTables(corpus: string): Promise<RequirementLine[]> {
  if (!existsSync(corpus)) {
    console.warn(`NO CORPUS at ${corpus}: the open documents are left out`);
    return [];
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
  return [
    noneFound(
      "open documents: rows left out in silence",
      sum(({ silent }) => silent),
    ),
    mustBeRare("open documents: complete answers called short", shareOf(short, tables.length)),
  ];
}

/** Runs the benchmark and prints its results. */
export async function run(args: string[]): Promise<void> {
  const at = args.indexOf("--most");
  const most = at >= 0 ? Number(args[at + 1]) : Number.POSITIVE_INFINITY;
  await using server = await startModelServer();
  const runs = [...(await runAll(server, most)), ...(await runOthers(server))];
  printFaults(runs);
  const complete = runs.filter(({ outcome }) => outcome.status !== "FAILED" && outcome.lost === 0);
  const falseShortfalls = complete.filter(({ outcome }) => isFalseShortfall(outcome));
  const silent = runs.filter(({ outcome }) => !isHonest(outcome));
  const extra = runs.filter(({ outcome }) => countUnreportedExtras(outcome) > 0);
  const honest = shareOf(runs.length - silent.length, runs.length);
  const falseShortfallShare = shareOf(falseShortfalls.length, complete.length);
  console.log(`\n${runs.length} runs; every row or the shortfall named: ${formatShare(honest)}`);
  console.log(`complete results called short: ${formatShare(falseShortfallShare)}`);
  console.log(`results with rows that are not printed, or more often than they are, and not told: ${extra.length}`);
  for (const { rows, layout, faults, outcome } of [...silent, ...falseShortfalls, ...extra].slice(0, 20))
    console.log(
      `  ${rows} ${layout}, ${faults.name}: ${outcome.status}, ${outcome.lost} lost, receipt ${outcome.receipt?.expected}/${outcome.receipt?.returned}, ${outcome.extra} extra`,
    );
  for (const { rows, layout, faults, outcome } of runs.filter((one) => one.outcome.status === "FAILED").slice(0, 10))
    console.log(`  ${rows} ${layout}, ${faults.name}: ${outcome.error}`);
  const slope = printTimes(runs);
  const open = await printOpenTables(corpusFolder(args));
  const time = `time by rows: to the power of ${MAX_LINEAR_EXPONENT} at most`;
  requireAll([
    noneFound("runs with a shortfall that is not named, or that failed", silent.length),
    mustBeRare("complete results called short", falseShortfallShare),
    noneFound("results with rows that are not printed and not told", extra.length),
    ...(slope === null ? [] : [{ name: time, ok: slope <= MAX_LINEAR_EXPONENT, found: slope.toFixed(2) }]),
    ...open,
  ]);
}
