/** The size that a knowledge base is good for: time, memory and bytes of indexing and searching. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openThreadedIndexes } from "../../functions/adapters/search/threaded-indexes.ts";
import { cutPassages } from "../../functions/engine/passages/cut-passages.ts";
import { writePassages } from "../../functions/engine/passages/passage-files.ts";
import { questionTerms } from "../../functions/engine/passages/search-terms.ts";
import type { PassageIndexes, PassageTerms } from "../../functions/ports/passage-index.ts";
import type { RequirementLine } from "../support/holds.ts";
import { numberOf } from "../support/options.ts";
import { quantile } from "../support/spread.ts";
import { watchHolds } from "../support/thread-holds.ts";
import { drawDocument, drawnNumbers } from "./drawn-documents.ts";

/** Documents that the service adds to an index at a time. */
const DOCUMENTS_A_TIME = 20;
/** Passages that a search gives. */
export const SEARCH_TOP = 5;
/** Longest time for which a search may keep the service's thread, in milliseconds. */
const MAX_HOLD_MS = 100;
const QUESTION_WORDS = 8;
const MEGABYTE = 1e6;

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

interface Indexed {
  index: Uint8Array;
  passageCount: number;
  textBytes: number;
  /** Milliseconds of cutting, of all updates, and of the last document's alone. */
  cutMs: number;
  updateMs: number;
  lastMs: number;
  /** Texts to make questions of. */
  samples: string[];
}

async function indexDrawn(indexes: PassageIndexes, documents: number, pages: number): Promise<Indexed> {
  let [index, passageCount, textBytes, cutMs, updateMs, lastMs]: [Uint8Array | undefined, ...number[]] = [
    undefined,
    0,
    0,
    0,
    0,
    0,
  ];
  const samples: string[] = [];
  let batch: PassageTerms[] = [];
  for (let at = 0; at < documents; at += 1) {
    const layout = drawDocument(pages, at + 1);
    const since = performance.now();
    const passages = cutPassages(layout);
    const files = writePassages(passages);
    cutMs += performance.now() - since;
    passageCount += passages.length;
    textBytes += files.passages.length;
    samples.push(...passages.filter((_, number) => number % 37 === 0).map(({ text }) => text));
    batch.push({ document: `drawn-${at}`, terms: files.terms });
    // The last document comes alone, as one that is added later does.
    if (batch.length < DOCUMENTS_A_TIME && at < documents - 2) continue;
    const began = performance.now();
    index = await indexes.update(index, { remove: [], add: batch });
    lastMs = performance.now() - began;
    updateMs += lastMs;
    batch = [];
  }
  if (index === undefined) throw new Error("No document was indexed");
  return { index, passageCount, textBytes, cutMs, updateMs, lastMs, samples };
}

function drawQuestions(samples: readonly string[], count: number): string[] {
  const draw = drawnNumbers(4_711);
  return Array.from({ length: count }, () => {
    const words = (samples[Math.floor(draw() * samples.length)] ?? "").split(/\s+/);
    return Array.from({ length: QUESTION_WORDS }, () => words[Math.floor(draw() * words.length)] ?? "").join(" ");
  });
}

export interface SearchTimes {
  /** Milliseconds of the first search, which loads the index, and of the others. */
  first: number;
  others: number[];
}

/** Searches one question after the other. */
export async function timeSearches(
  indexes: PassageIndexes,
  file: string,
  questions: readonly string[],
): Promise<SearchTimes> {
  const load = async () => new Uint8Array(await readFile(file));
  const times: number[] = [];
  for (const question of questions) {
    const since = performance.now();
    await indexes.search("drawn", load, { terms: questionTerms(question), limit: SEARCH_TOP });
    times.push(performance.now() - since);
  }
  const [first = Number.NaN, ...others] = times;
  return { first, others };
}

const sayTimes = ({ first, others }: SearchTimes): string =>
  `first ${ms(first)}, then median ${ms(quantile(others, 0.5))}, p95 ${ms(quantile(others, 0.95))}`;

/** Searches in a process of its own, as a function in the cloud does, but for the network. */
function searchAsFunction(file: string, questions: string): SearchTimes & { memoryBytes: number } {
  const script = path.join(import.meta.dirname, "function-search.ts");
  const output = execFileSync(process.execPath, [script, file, questions], { encoding: "utf8" });
  return JSON.parse(output) as SearchTimes & { memoryBytes: number };
}

function sayIndexed(made: Indexed, documents: number, pages: number): void {
  console.log(`${documents} documents of ${pages} pages: ${made.passageCount} passages`);
  console.log(`  cut into passages    ${ms(made.cutMs)}, ${ms(made.cutMs / documents)} a document`);
  console.log(
    `  indexed              ${ms(made.updateMs)}, ${DOCUMENTS_A_TIME} documents at a time; the last alone ${ms(made.lastMs)}`,
  );
  console.log(`  size                 index ${megabytes(made.index.length)}, passages ${megabytes(made.textBytes)}`);
}

/** Measures indexing and searching. */
export async function measureSize(args: string[]): Promise<RequirementLine[]> {
  const documents = numberOf(args, "--documents", 200);
  const pages = numberOf(args, "--pages", 50);
  const indexes = openThreadedIndexes();
  const folder = mkdtempSync(path.join(tmpdir(), "sheaf-bench-"));
  const holds = watchHolds();
  try {
    const made = await indexDrawn(indexes, documents, pages);
    sayIndexed(made, documents, pages);
    const questions = drawQuestions(made.samples, numberOf(args, "--searches", 300));
    const [file, asked] = [path.join(folder, "index"), path.join(folder, "questions")];
    writeFileSync(file, made.index);
    writeFileSync(asked, JSON.stringify(questions));
    holds.read();
    const beside = await timeSearches(indexes, file, questions);
    const { computed } = holds.read();
    console.log(`  searched, one machine  ${sayTimes(beside)}; the service's thread is held for ${ms(computed)}`);
    const alone = searchAsFunction(file, asked);
    console.log(`  searched, a function   ${sayTimes(alone)}; memory + ${megabytes(alone.memoryBytes)}`);
    const name = `a search holds the service's thread for ${MAX_HOLD_MS} ms at most`;
    return [{ name, ok: computed <= MAX_HOLD_MS, found: ms(computed) }];
  } finally {
    holds.stop();
    await indexes.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
