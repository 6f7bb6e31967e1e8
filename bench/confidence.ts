/**
 * Measures how well the confidence of single values separates right from wrong ones, and whether it is calibrated: over
 * real and generated documents, with faults planted into simulated answers of models, and with the offline extractor's
 * own answers. Two yardsticks: the recognition confidence alone, and exact matches alone.
 * `npm run bench -- confidence [--fit] [--rules] [--update SETS] [--no-ocr] [--cache DIR] [--corpus DIR]`; `--fit` writes
 * the weights. `--rules` judges the offline extractor's values only, and leaves the weights of models as they are: a
 * minute. `--update` (of the rules) judges the sets named only, with commas between, and fits changes of the weights:
 * once for new sets, where the documents of the earlier fit are not at hand.
 */
import { performance } from "node:perf_hooks";
import { shareOf } from "../client/eval/score.ts";
import { SIGNAL_NAMES } from "../functions/engine/confidence/signals.ts";
import { type ReadBy, WEIGHTS } from "../functions/engine/confidence/weights.ts";
import { MIN_OFFLINE_CONFIDENCE } from "../functions/engine/confidence/withhold-unsure.ts";
import { benchDocuments, openRecognition } from "./confidence/documents.ts";
import { fitAll, leaveOneOut } from "./confidence/fit-readers.ts";
import { predict } from "./confidence/fit-weights.ts";
import { type JudgedValue, judgedValues, readByOf } from "./confidence/judged-values.ts";
import { FIRST_ERRORS, printOwnValues } from "./confidence/own-values.ts";
import { Random } from "./confidence/random.ts";
import { seenDocuments } from "./confidence/seen-documents.ts";
import { auroc, bootstrap, calibrationError, reliability, type Scored } from "./confidence/statistics.ts";
import { writeWeights } from "./confidence/write-weights.ts";
import { corpusFolder } from "./support/corpus.ts";
import { atLeast, requireAll } from "./support/holds.ts";

/** Lower bound of AUROC that all values must reach, and every slice with enough faults. */
const MIN_AUROC = 0.8;
const MIN_FAULTS_OF_SLICE = 50;
const MIN_VALUES = 1_000;
const BOOTSTRAP_DRAWS = 500;
/** Answers for each naming: of an invoice's values, and of a long list's. */
const ANSWERS = { short: 4, long: 2 };

const option = (args: readonly string[], name: string): string | null => {
  const at = args.indexOf(name);
  return at < 0 ? null : (args[at + 1] ?? null);
};

interface Collected {
  values: JudgedValue[];
  /** Numbers of values that the offline extractor could have found, by source. */
  stated: Record<JudgedValue["source"], number>;
}

async function collect(args: readonly string[]): Promise<Collected> {
  const cache = option(args, "--cache");
  const updated = option(args, "--update")?.split(",");
  const recognises = !args.includes("--no-ocr");
  const recognition = recognises && updated === undefined ? openRecognition(cache) : null;
  const values: JudgedValue[] = [];
  const stated = { corpus: 0, generated: 0 };
  let seed = 0;
  const documents =
    updated === undefined
      ? benchDocuments(corpusFolder(args), recognition?.recognise ?? null, cache)
      : seenDocuments(recognises, cache, updated);
  for await (const document of documents) {
    seed += 1;
    const long = Array.isArray(document.truth.rows ?? document.truth.entries);
    const answers = args.includes("--rules") || updated !== undefined ? 0 : long ? ANSWERS.long : ANSWERS.short;
    const judged = judgedValues(document, answers, seed);
    values.push(...judged.values);
    stated[document.source] += judged.stated;
  }
  await recognition?.close();
  return { values, stated };
}

const READERS: readonly ReadBy[] = ["model", "rules"];

type Scores = Record<"left out" | "shipped" | "recognition" | "exact", number>;
interface Row extends JudgedValue {
  scores: Scores;
}

function scoresOf(value: JudgedValue, leftOut: number): Scores {
  const { signals, located, cap } = value;
  return {
    "left out": Math.min(cap, leftOut),
    shipped: Math.min(cap, predict(WEIGHTS[readByOf(value)], signals)),
    recognition: located ? 1 - signals.doubt : 0,
    exact: located && signals.mismatch === 0 ? 1 : 0,
  };
}

const scored = (rows: readonly Row[], by: keyof Scores): Scored[] =>
  rows.map(({ group, right, scores }) => ({ group, right, score: scores[by] }));

const cell = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(3));

interface Slice {
  name: string;
  wrong: number;
  /** Lower bound of the 95 % interval. */
  low: number;
}

function printLine(name: string, rows: readonly Row[]): Slice {
  const wrong = rows.filter(({ right }) => !right).length;
  const { low, high } = bootstrap(scored(rows, "left out"), BOOTSTRAP_DRAWS, new Random(7));
  const figures = (["left out", "shipped", "recognition", "exact"] as const).map((by) => auroc(scored(rows, by)));
  const documents = new Set(rows.map(({ group }) => group)).size;
  console.log(
    `${name.padEnd(42)}${String(documents).padStart(5)}${String(rows.length).padStart(8)}${String(wrong).padStart(7)}  ` +
      `${cell(figures[0] ?? Number.NaN)} (${cell(low)}–${cell(high)})  ${figures
        .slice(1)
        .map((one) => cell(one).padEnd(9))
        .join("")}`,
  );
  return { name, wrong, low };
}

const isInvented = ({ stated, by }: Row): boolean => !stated && by !== "offline";
const isPlanted = ({ stated, by, right }: Row): boolean => stated && by !== "offline" && !right;
const isTrueOfModel = ({ by, right }: Row): boolean => by !== "offline" && right;

/** Slices of the values; a kind of fault is compared with all right values of its kind. */
const SLICES: [string, (row: Row) => boolean][] = [
  ["values found on the page", ({ located }) => located],
  ["corpus", ({ source }) => source === "corpus"],
  ["corpus, found on the page", ({ source, located }) => source === "corpus" && located],
  ["generated", ({ source }) => source === "generated"],
  ["text layer", ({ recognised }) => !recognised],
  ["scans", ({ recognised }) => recognised],
  ["model, simulated", ({ by }) => by === "model"],
  ["model, simulated, with offline beside", ({ by }) => by === "model and offline"],
  ["planted faults", (row) => isPlanted(row) || isTrueOfModel(row)],
  ["planted faults, corpus", (row) => row.source === "corpus" && (isPlanted(row) || isTrueOfModel(row))],
  ["inventions, single values", (row) => row.signals.cell === 0 && (isInvented(row) || isTrueOfModel(row))],
  [
    "inventions, single values found, corpus",
    (row) =>
      row.signals.cell === 0 && row.source === "corpus" && row.located && (isInvented(row) || isTrueOfModel(row)),
  ],
  ["inventions, columns of lists", (row) => row.signals.cell === 1 && (isInvented(row) || isTrueOfModel(row))],
  ["offline extractor's own", ({ by }) => by === "offline"],
  ["offline extractor's own, corpus", ({ by, source }) => by === "offline" && source === "corpus"],
  ["outside of lists", ({ signals }) => signals.cell === 0],
  ["cells of lists", ({ signals }) => signals.cell === 1],
];

function printTable(rows: readonly Row[]): Slice[] {
  console.log(
    `\nAUROC of values, documents left out in turn; 95 % by bootstrap over documents\n${"".padEnd(42)} docs  values  wrong  left out (95 %)        shipped  OCR only exact only`,
  );
  return [printLine("all values", rows), ...SLICES.map(([name, keep]) => printLine(name, rows.filter(keep)))];
}

/** Compares every kind of fault with all right values, over some documents. */
function printFaults(name: string, rows: readonly Row[]): void {
  const right = rows.filter((row) => row.right && row.by !== "offline");
  console.log(
    `\nBy fault, ${name}, against ${right.length} right values of simulated models\n  ${"".padEnd(14)}wrong  not found  mean   AUROC  found only`,
  );
  const faults = [...new Set(rows.flatMap(({ fault, right: fine }) => (fault === null || fine ? [] : [fault])))].sort();
  for (const fault of faults) {
    const wrong = rows.filter((row) => row.fault === fault && !row.right);
    const found = wrong.filter(({ located }) => located);
    const mean = wrong.reduce((sum, { scores }) => sum + scores["left out"], 0) / wrong.length;
    const all = auroc(scored([...right, ...wrong], "left out"));
    const onPage = auroc(scored([...right.filter(({ located }) => located), ...found], "left out"));
    console.log(
      `  ${fault.padEnd(14)}${String(wrong.length).padStart(5)}${String(wrong.length - found.length).padStart(11)}  ${cell(mean)}  ${cell(all)}  ${cell(onPage)}`,
    );
  }
}

function printReliability(rows: readonly Row[]): void {
  const bins = reliability(scored(rows, "left out"));
  console.log("\nReliability, documents left out in turn\n  confidence    values  promised  right (95 %)");
  for (const { from, to, count, promised, kept } of bins) {
    const { share, interval } = shareOf(kept, count);
    console.log(
      `  ${from.toFixed(1)} to ${to.toFixed(1)}${String(count).padStart(12)}  ${cell(promised).padEnd(8)}  ${cell(share ?? Number.NaN)} (${cell(interval.low)}–${cell(interval.high)})`,
    );
  }
  printCalibration("of all", rows);
  printCalibration(
    "over the corpus",
    rows.filter(({ source }) => source === "corpus"),
  );
  for (const by of ["model", "model and offline", "offline"] as const)
    printCalibration(
      `of ${by}`,
      rows.filter((row) => row.by === by),
    );
}

/** Thresholds of the offline extractor's values; at 0 all that it reads is given. */
const THRESHOLDS = [0, 0.3, MIN_OFFLINE_CONFIDENCE, 0.7, 0.9];

/** Precision and recall of the offline extractor's values with thresholds and without one. */
function printThresholds(rows: readonly Row[], stated: Collected["stated"]): void {
  console.log("\nThe offline extractor's values from a confidence on, documents left out in turn");
  for (const source of ["corpus", "generated"] as const) {
    const own = rows.filter((row) => row.by === "offline" && row.source === source);
    for (const threshold of THRESHOLDS) {
      const given = own.filter(({ scores }) => scores["left out"] >= threshold);
      const right = given.filter((row) => row.right).length;
      const [precision, recall] = [shareOf(right, given.length), shareOf(right, stated[source])];
      const mark = threshold === MIN_OFFLINE_CONFIDENCE ? " (the default)" : threshold === 0 ? " (none)" : "";
      console.log(
        `  ${source.padEnd(10)}${`${threshold.toFixed(1)}${mark}`.padEnd(19)}precision ${right} of ${given.length} (${cell(precision.share ?? Number.NaN)})  recall ${right} of ${stated[source]} (${cell(recall.share ?? Number.NaN)})`,
      );
    }
  }
}

/** Share of right values among those capped by failed checks. */
function printCapped(rows: readonly Row[]): void {
  for (const [name, own] of Map.groupBy(
    rows.filter(({ cap }) => cap < 1),
    ({ source, by, cap }) => `${source}, ${by}, at ${cap}`,
  )) {
    const { hits, of, share } = shareOf(own.filter(({ right }) => right).length, own.length);
    console.log(`  capped by failed checks, ${name}: ${hits} of ${of} right (${cell(share ?? Number.NaN)})`);
  }
}

function printCalibration(name: string, rows: readonly Row[]): void {
  console.log(
    `  expected calibration error ${name}: ${calibrationError(reliability(scored(rows, "left out"))).toFixed(3)}`,
  );
}

/** Prints the wrong values that look right, and the right ones that look wrong. */
function printWorst(rows: readonly Row[]): void {
  const error = ({ right, scores }: Row): number => Math.abs((right ? 1 : 0) - scores["left out"]);
  console.log("\nWorst of simulated models and of the offline extractor (confidence, value, truth)");
  const sorted = [...rows].sort((a, b) => error(b) - error(a));
  const worst = [true, false].flatMap((own) => sorted.filter(({ by }) => (by === "offline") === own).slice(0, 8));
  for (const row of worst)
    console.log(
      `  ${cell(row.scores["left out"])}  ${row.group} ${row.pointer} by ${row.by}, ${row.fault ?? "-"}: ${JSON.stringify(row.value)}, ${JSON.stringify(row.expected)}`,
    );
}

/** Runs the benchmark and prints its results; the process fails where the goal is missed. */
export async function run(args: string[]): Promise<void> {
  const start = performance.now();
  const { values, stated } = await collect(args);
  const read = performance.now();
  const updates = args.includes("--update");
  const all = fitAll(values, updates);
  if (args.includes("--fit")) await writeWeights(all, values, updates);
  const leftOut = leaveOneOut(values, all, updates);
  const judged = values.map((value, at): Row => ({ ...value, scores: scoresOf(value, leftOut[at] ?? 0) }));
  const rows = judged.filter(({ rule }) => rule !== FIRST_ERRORS);
  const slices = printTable(rows);
  printFaults("all documents", rows);
  printFaults(
    "corpus",
    rows.filter(({ source }) => source === "corpus"),
  );
  printReliability(rows);
  printThresholds(rows, stated);
  printCapped(rows);
  const asked = judged.filter(({ kind }) => kind !== undefined);
  printOwnValues(asked.map((row) => ({ ...row, score: row.scores["left out"] })));
  printWorst(rows);
  for (const readBy of READERS)
    console.log(
      `\nWeights of values of ${readBy}: bias ${all[readBy].bias.toFixed(2)}, ${SIGNAL_NAMES.map((name) => `${name} ${(all[readBy].weights[name] ?? 0).toFixed(2)}`).join(", ")}`,
    );
  console.log(
    `${((read - start) / 1000).toFixed(0)} s of reading and judging, ${((performance.now() - read) / 1000).toFixed(0)} s of fitting`,
  );
  requireAll([
    { name: `${MIN_VALUES} values at least`, ok: rows.length >= MIN_VALUES, found: String(rows.length) },
    ...slices
      .filter(({ wrong }, at) => at === 0 || wrong >= MIN_FAULTS_OF_SLICE)
      .map(({ name, low }) => atLeast(`AUROC, lower 95 % bound, ${name}`, low, MIN_AUROC)),
  ]);
}
