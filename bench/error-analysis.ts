/**
 * The offline error analysis: its detection of a fault planted into each of 40 true results (exchanged digits, a wrong
 * total, a shifted date, a missing row), and its silence on the untouched results. The yardstick names the values that
 * do not occur in the document exactly, in their order.
 * `npm run bench -- error-analysis [--corpus DIR] [--verbose]`
 */

import { performance } from "node:perf_hooks";
import { analyzeResult } from "../functions/engine/analysis/analyze-result.ts";
import { locateValues } from "../functions/engine/grounding/locate-values.ts";
import { parseSchema } from "../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../functions/ports/json.ts";
import { type BenchDocument, benchDocuments } from "./confidence/documents.ts";
import { Random } from "./confidence/random.ts";
import { NAMINGS, resultOf, schemaOf, type Values } from "./confidence/truths.ts";
import { corpusFolder } from "./support/corpus.ts";

const DOCUMENTS = 40;
const MIN_FOUND_SHARE = 0.9;
const MAX_FALSE_SHARE = 0.1;
/** Confidence from which an issue counts. */
const HIGH_CONFIDENCE = 0.8;

const TOTAL_FIELDS = ["gross_total", "net_total", "amount_due", "tax_total"];

interface PlantedFault {
  fault: string;
  values: Values;
  /** The name of the value or list; with row and member inside a list. */
  path: (string | number)[];
}

type FaultPlanter = (truth: Values, random: Random) => PlantedFault | null;

const copyOf = (truth: Values): Values => JSON.parse(JSON.stringify(truth)) as Values;

/** Exchanges two neighbouring digits of a number or code. */
const swapDigits: FaultPlanter = (truth, random) => {
  const places = Object.entries(truth).flatMap(([name, value]): [string, string, number][] => {
    if (Array.isArray(value) || value === null || /date/.test(name)) return [];
    const text = String(value);
    return [...text].flatMap((char, at): [string, string, number][] => {
      const next = text.charAt(at + 1);
      const differs = /\d/.test(char) && /\d/.test(next) && char !== next && !(char === "0" && at === 0);
      return differs && !(at === 0 && next === "0") ? [[name, text, at]] : [];
    });
  });
  if (places.length === 0) return null;
  const [name, text, at] = random.pick(places);
  const swapped = text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2);
  const values = { ...copyOf(truth), [name]: typeof truth[name] === "number" ? Number(swapped) : swapped };
  return values[name] === truth[name] ? null : { fault: "digits exchanged", values, path: [name] };
};

/** Makes a total some percent too high or too low, or replaces it with another total of the document. */
const wrongTotal: FaultPlanter = (truth, random) => {
  const names = TOTAL_FIELDS.filter((name) => typeof truth[name] === "number" && truth[name] !== 0);
  if (names.length === 0) return null;
  const name = random.pick(names);
  const others = names.flatMap((other) => (truth[other] === truth[name] ? [] : [Number(truth[other])]));
  const near = Number((Number(truth[name]) * (1 + random.pick([-0.2, -0.1, 0.05, 0.1, 0.25]))).toFixed(2));
  const wrong = others.length > 0 && random.chance(0.5) ? random.pick(others) : near;
  return { fault: "wrong total", values: { ...copyOf(truth), [name]: wrong }, path: [name] };
};

const shiftDate: FaultPlanter = (truth, random) => {
  const names = Object.keys(truth).filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(String(truth[name])));
  if (names.length === 0) return null;
  const name = random.pick(names);
  const days = random.pick([-31, -30, -7, -1, 1, 7, 14, 30, 365]);
  const shifted = new Date(Date.parse(String(truth[name])) + days * 86_400_000).toISOString().slice(0, 10);
  return { fault: "shifted date", values: { ...copyOf(truth), [name]: shifted }, path: [name] };
};

const dropRow: FaultPlanter = (truth, random) => {
  const lists = Object.entries(truth).flatMap(([name, value]): [string, Json[]][] =>
    Array.isArray(value) && value.length > 1 ? [[name, value]] : [],
  );
  if (lists.length === 0) return null;
  const [name, rows] = random.pick(lists);
  const out = random.int(0, rows.length - 1);
  const values = { ...copyOf(truth), [name]: rows.filter((_, at) => at !== out) };
  return { fault: "missing row", values, path: [name] };
};

const FAULT_PLANTERS = [swapDigits, wrongTotal, shiftDate, dropRow];

/** The JSON Pointer of a planted fault under a naming. */
function pointerIn(naming: (typeof NAMINGS)[number], path: PlantedFault["path"]): string {
  const [name = "", ...rest] = path;
  const member = naming.members[String(name)];
  return [...(member?.[0] ?? [String(name)]), ...rest].map((step) => `/${step}`).join("");
}

interface Case {
  document: BenchDocument;
  naming: (typeof NAMINGS)[number];
  planted: PlantedFault;
}

/** Plants in each document the possible fault with the fewest uses so far. */
function casesOf(documents: readonly BenchDocument[]): Case[] {
  const random = new Random(11);
  const counts = new Map<string, number>();
  const times = ({ fault }: PlantedFault): number => counts.get(fault) ?? 0;
  return documents.flatMap((document, at): Case[] => {
    const naming = NAMINGS[at % NAMINGS.length];
    const possible = FAULT_PLANTERS.flatMap((plant) => plant(document.truth, random) ?? []);
    const [planted] = possible.sort((a, b) => times(a) - times(b));
    if (planted === undefined || naming === undefined) return [];
    counts.set(planted.fault, times(planted) + 1);
    return [{ document, naming, planted }];
  });
}

function analyze({ document: { layout, truth }, naming }: Case, values: Values) {
  const schema = schemaOf(truth, naming);
  return analyzeResult({ layout, result: resultOf(values, naming), schema: parseSchema(schema), offline: false });
}

/** The first value that does not occur in the document exactly. */
function firstValueNotFound({ document: { layout, truth }, naming }: Case, values: Values): string | undefined {
  const result = resultOf(values, naming);
  const { sources } = locateValues(layout, result, {
    schema: parseSchema(schemaOf(truth, naming)),
    granularity: "word",
  });
  return sources.unresolved.find(({ reason }) => reason === "not-found")?.pointer;
}

const share = (hits: readonly boolean[]): number => hits.filter(Boolean).length / Math.max(1, hits.length);

export async function run(args: string[]): Promise<void> {
  const documents: BenchDocument[] = [];
  for await (const document of benchDocuments(corpusFolder(args), null, null)) {
    // The long table has only its rows, which the reader itself recorded.
    if (document.truth.rows === undefined && documents.length < DOCUMENTS) documents.push(document);
  }
  const cases = casesOf(documents);
  const hits = new Map<string, { ours: boolean[]; plain: boolean[] }>();
  const alarms: boolean[] = [];
  const began = performance.now();
  for (const one of cases) {
    const { document, naming, planted } = one;
    const wanted = pointerIn(naming, planted.path);
    const { issues } = analyze(one, planted.values);
    const untouched = analyze(one, document.truth).issues.filter(({ confidence }) => confidence >= HIGH_CONFIDENCE);
    const ours = issues[0]?.pointer === wanted;
    const row = hits.get(planted.fault) ?? { ours: [], plain: [] };
    hits.set(planted.fault, row);
    row.ours.push(ours);
    row.plain.push(firstValueNotFound(one, planted.values) === wanted);
    alarms.push(untouched.length > 0);
    if (args.includes("--verbose")) {
      const told = (list: typeof issues) =>
        list
          .slice(0, 3)
          .map(({ pointer, kind, confidence, issue }) => `\n    ${confidence} ${kind} ${pointer} ${issue}`);
      if (!ours) console.log(`MISSED ${document.group}: ${planted.fault} ${wanted}${told(issues).join("")}`);
      if (untouched.length > 0) console.log(`ALARM ${document.group}${told(untouched).join("")}`);
    }
  }
  const seconds = (performance.now() - began) / 1000;
  const all = [...hits.values()];
  const [ours, plain] = [all.flatMap((row) => row.ours), all.flatMap((row) => row.plain)];
  console.log(`\n${"planted".padEnd(20)}results  named first   not found exactly, first`);
  const line = (name: string, row: { ours: boolean[]; plain: boolean[] }) =>
    console.log(
      `${name.padEnd(20)}${String(row.ours.length).padStart(7)}  ${share(row.ours).toFixed(3).padStart(11)}   ${share(row.plain).toFixed(3)}`,
    );
  for (const [name, row] of hits) line(name, row);
  line("all", { ours, plain });
  const corpus = documents.filter(({ source }) => source === "corpus").length;
  console.log(
    `${documents.length} documents, ${corpus} of the corpus and ${documents.length - corpus} generated; ` +
      `untouched results with an issue of confidence ${HIGH_CONFIDENCE} or more: ${share(alarms).toFixed(3)}; ` +
      `${((1000 * seconds) / (2 * cases.length)).toFixed(0)} ms a result`,
  );
  const met = share(ours) >= MIN_FOUND_SHARE && share(alarms) <= MAX_FALSE_SHARE;
  console.log(
    `ratio to the yardstick ${(share(ours) / Math.max(0.001, share(plain))).toFixed(2)}; goal ${MIN_FOUND_SHARE} and ${MAX_FALSE_SHARE}: ${met ? "met" : "MISSED"}`,
  );
  if (!met) process.exitCode = 1;
}
