/**
 * How fast and how well words and their boxes are read from PDFs with a text layer, beside poppler's `pdftotext -bbox`
 * on the same files in the same run. `npm run bench -- text [--corpus DIR] [--rounds N]`.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { type Layout, pageWords } from "../functions/core/documents/layout.ts";
import { splitFrames } from "../functions/core/documents/pdf/frames.ts";
import { pageGlyphs } from "../functions/core/documents/pdf/glyphs.ts";
import { formLines } from "../functions/core/documents/pdf/lines.ts";
import { withPdf } from "../functions/core/documents/pdf/reader.ts";
import { formWords } from "../functions/core/documents/pdf/words.ts";
import { readDocument } from "../functions/core/documents/read.ts";
import { canMeasure, corpusFolder, textPdfs } from "./support/corpus.ts";
import { broken, isAside, type Match, matchWords, overlap, type PlacedText } from "./support/match.ts";
import { parseBoxes, popplerBoxes } from "./support/poppler.ts";

const MIME = { mimeType: "application/pdf" };

/** Milliseconds, the best of all rounds: what else runs on the machine only ever makes it slower. */
interface Times {
  whole: number;
  words: number;
  poppler: number;
}

interface Quality {
  ours: number;
  theirs: number;
  matched: number;
  /** Leaders and mathematics included. */
  all: { ours: number; theirs: number; matched: number };
  /** Words of one reader that are pieces of a word of the other. */
  fragments: number;
  joins: number;
  /** Matched words whose boxes overlap by half of what both cover. */
  placed: number;
  /** Neighbours in poppler's order: how many there are, in the same order here, and neighbours here too. */
  pairs: number;
  ordered: number;
  adjacent: number;
}

const noQuality = (): Quality => ({
  ours: 0,
  theirs: 0,
  matched: 0,
  all: { ours: 0, theirs: 0, matched: 0 },
  fragments: 0,
  joins: 0,
  placed: 0,
  pairs: 0,
  ordered: 0,
  adjacent: 0,
});

/** What poppler does with `-bbox`: words with their boxes, put into lines; no blocks, tables or structure. */
const readWordsOnly = (bytes: Uint8Array): Promise<number> =>
  withPdf(bytes, ({ pageCount, withPage }) => {
    let lines = 0;
    for (let index = 0; index < pageCount; index += 1) {
      lines += withPage(index, (page) =>
        splitFrames(pageGlyphs(page)).reduce((sum, { glyphs }) => sum + formLines(formWords(glyphs)).length, 0),
      );
    }
    return lines;
  });

async function timed<T>(work: () => T | Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  const value = await work();
  return [value, performance.now() - start];
}

/** Intersection over union. */
function likeness(a: PlacedText["box"], b: PlacedText["box"]): number {
  const size = ({ left, top, right, bottom }: PlacedText["box"]): number => (right - left) * (bottom - top);
  const common = overlap(a, b) * Math.min(size(a), size(b));
  return common / (size(a) + size(b) - common);
}

function addOrder(quality: Quality, matches: readonly Match[]): void {
  // The rank among the matched words: what only one reader has stands between no neighbours.
  const ranks = new Map(
    matches
      .map(({ ourIndex }) => ourIndex)
      .sort((a, b) => a - b)
      .map((at, rank) => [at, rank]),
  );
  matches.slice(1).forEach((match, at) => {
    const step = (ranks.get(match.ourIndex) ?? 0) - (ranks.get(matches[at]?.ourIndex ?? 0) ?? 0);
    quality.pairs += 1;
    if (step > 0) quality.ordered += 1;
    if (step === 1) quality.adjacent += 1;
  });
}

function addPage(quality: Quality, ours: readonly PlacedText[], theirs: readonly PlacedText[]): void {
  const counted = (words: readonly PlacedText[]): number => words.filter(({ text }) => !isAside(text)).length;
  const matches = matchWords(ours, theirs);
  quality.all.ours += ours.length;
  quality.all.theirs += theirs.length;
  quality.all.matched += matches.length;
  quality.ours += counted(ours);
  quality.theirs += counted(theirs);
  quality.matched += matches.filter(({ theirs: { text } }) => !isAside(text)).length;
  quality.fragments += broken(theirs, ours).filter(({ word }) => !isAside(word)).length;
  quality.joins += broken(ours, theirs).filter(({ word }) => !isAside(word)).length;
  quality.placed += matches.filter((match) => likeness(match.ours.box, match.theirs.box) > 0.5).length;
  addOrder(quality, matches);
}

function addDocument(quality: Quality, layout: Layout, poppler: readonly PlacedText[][]): void {
  for (const page of layout.pages) {
    const words = pageWords(page).filter(({ source }) => source === undefined);
    addPage(quality, words, poppler[page.number - 1] ?? []);
  }
}

const share = (part: number, of: number): string => (of === 0 ? "–" : (part / of).toFixed(4));

interface Measured {
  file: string;
  pages: number;
  times: Times;
  quality: Quality;
}

async function measure(file: string, rounds: number): Promise<Measured> {
  const bytes = new Uint8Array(await readFile(file));
  const times: Times = { whole: Infinity, words: Infinity, poppler: Infinity };
  const quality = noQuality();
  let pages = 0;
  for (let round = 0; round < rounds; round += 1) {
    const [html, poppler] = await timed(() => popplerBoxes(file));
    const [{ layout }, whole] = await timed(() => readDocument(bytes, MIME));
    const [, words] = await timed(() => readWordsOnly(bytes));
    times.whole = Math.min(times.whole, whole);
    times.words = Math.min(times.words, words);
    times.poppler = Math.min(times.poppler, poppler);
    if (round > 0) continue;
    pages = layout.pageCount;
    addDocument(quality, layout, parseBoxes(html));
  }
  return { file: path.basename(file), pages, times, quality };
}

function printDocuments(measured: readonly Measured[]): void {
  const cells = ["pages", "ms", "poppler", "recall", "precision", "broken", "joined"];
  console.log(`\n${"".padEnd(42)}${cells.map((cell) => cell.padStart(10)).join("")}`);
  for (const { file, pages, times, quality } of measured) {
    const { matched, ours, theirs, fragments, joins } = quality;
    const values = [
      `${pages}`,
      times.whole.toFixed(0),
      times.poppler.toFixed(0),
      share(matched, theirs),
      share(matched, ours),
      `${fragments}`,
      `${joins}`,
    ];
    console.log(`${file.padEnd(42)}${values.map((value) => value.padStart(10)).join("")}`);
  }
}

function addUp(measured: readonly Measured[]): { pages: number; times: Times; quality: Quality } {
  const sum = { pages: 0, times: { whole: 0, words: 0, poppler: 0 }, quality: noQuality() };
  for (const { pages, times, quality } of measured) {
    sum.pages += pages;
    for (const key of ["whole", "words", "poppler"] as const) sum.times[key] += times[key];
    for (const key of ["ours", "theirs", "matched"] as const) sum.quality.all[key] += quality.all[key];
    for (const key of [
      "ours",
      "theirs",
      "matched",
      "fragments",
      "joins",
      "placed",
      "pairs",
      "ordered",
      "adjacent",
    ] as const)
      sum.quality[key] += quality[key];
  }
  return sum;
}

function printSums(measured: readonly Measured[]): void {
  const { pages, times, quality } = addUp(measured);
  const speed = (milliseconds: number): string => `${((1000 * pages) / milliseconds).toFixed(0)} pages/s`;
  const ratio = (milliseconds: number): string => `${(times.poppler / milliseconds).toFixed(2)} × poppler's speed`;
  console.log(`\n${measured.length} documents, ${pages} pages, one core`);
  console.log(`  poppler, a process a file   ${speed(times.poppler)}`);
  console.log(`  words with boxes, as it     ${speed(times.words)}   ${ratio(times.words)}   (goal 1.0, floor 0.8)`);
  console.log(
    `  the whole reading           ${speed(times.whole)}   ${ratio(times.whole)}   (tables, structure, quality too)`,
  );
  const { matched, ours, theirs, all } = quality;
  console.log(`  word recall                 ${share(matched, theirs)}   (goal 0.99; leaders and mathematics aside)`);
  console.log(`  word precision              ${share(matched, ours)}   (goal 0.98)`);
  console.log(`  with leaders, mathematics   ${share(all.matched, all.theirs)} and ${share(all.matched, all.ours)}`);
  console.log(`  boxes with IoU above 0.5    ${share(quality.placed, all.matched)}`);
  console.log(`  broken, joined              ${quality.fragments}, ${quality.joins} words`);
  console.log(
    `  reading order               ${share(quality.ordered, quality.pairs)} of neighbours in the same order, ` +
      `${share(quality.adjacent, quality.pairs)} neighbours here too`,
  );
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus, "pdftotext")) return;
  const at = args.indexOf("--rounds");
  const rounds = at >= 0 ? Math.max(Number(args[at + 1]), 1) : 3;
  const measured: Measured[] = [];
  for (const file of await textPdfs(corpus)) measured.push(await measure(file, rounds));
  printDocuments(measured);
  printSums(measured);
}
