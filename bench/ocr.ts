/**
 * Quality and speed of text recognition compared with the program tesseract, on the same pictures in the same run:
 * English pages with a text layer drawn at 200 dpi, clean and degraded like a poor scan, and the scans of the corpus.
 * `npm run bench -- ocr [--pages N] [--level LOW|DEFAULT|PREMIUM] [--worst N] [--corpus DIR]`.
 */
import { availableParallelism, loadavg } from "node:os";
import sharp from "sharp";
import type { OcrLevel } from "../functions/ports/ocr.ts";
import { openReader, openYardstick, type Reader } from "./ocr/engines.ts";
import { type BenchPage, benchPages, toUpright } from "./ocr/pages.ts";
import { readScans } from "./ocr/scans.ts";
import { scorePage } from "./ocr/score.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import type { PlacedText } from "./support/match.ts";
import { isNarrow, sayFigure, sayLoad, spreadOf } from "./support/repeat.ts";

/** Widest interval of a ratio of times that is told, as a share of it: pages differ by their content. */
const MAX_RATIO_INTERVAL = 0.3;

/** Most errors and processor time, the program's = 1: of the embedded engine at DEFAULT, and of the native one. */
const MAX_ERROR_RATIO = 0.6;
const MAX_CPU_RATIO = { embedded: 1.6, native: 1.1 };

type Kind = "clean" | "scan";
const KINDS: readonly Kind[] = ["clean", "scan"];

interface PageScore {
  page: string;
  reader: string;
  kind: Kind;
  recall: number;
  /** Edits divided by the characters of the truth. */
  error: number;
  wall: number;
  cpu: number;
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}

/** Moves the words of the rotated scan to their places on the upright page. */
function moveToUpright(words: readonly PlacedText[], page: BenchPage): PlacedText[] {
  return words.map(({ text, box }) => {
    const { x, y } = toUpright((box.left + box.right) / 2, (box.top + box.bottom) / 2, page.frame);
    const [width, height] = [(box.right - box.left) / 2, (box.bottom - box.top) / 2];
    return { text, box: { left: x - width, top: y - height, right: x + width, bottom: y + height } };
  });
}

async function readPages(
  corpus: string,
  most: number,
  open: () => Promise<Reader[]>,
): Promise<[PageScore[], Reader[]]> {
  const rows: PageScore[] = [];
  const readers = await open();
  for await (const page of benchPages(corpus, most)) {
    // A process serves a hundred pages: the first, which includes compilation, is read once more than measured.
    if (rows.length === 0)
      for (const reader of readers) for (const kind of KINDS) await reader.read(page[kind], page.frame);
    for (const kind of KINDS) {
      for (const reader of readers) {
        const { words, wall, cpu } = await reader.read(page[kind], page.frame);
        const score = scorePage(page.truth, kind === "scan" ? moveToUpright(words, page) : words);
        rows.push({
          page: page.name,
          reader: reader.name,
          kind,
          recall: score.found / score.words,
          error: score.edits / score.characters,
          wall,
          cpu,
        });
      }
    }
  }
  return [rows, readers];
}

interface Summary {
  recall: number;
  error: number;
  middle: number;
  wall: number;
  cpu: number;
}

const summarise = (rows: readonly PageScore[]): Summary => ({
  recall: mean(rows.map((row) => row.recall)),
  error: mean(rows.map((row) => row.error)),
  middle: median(rows.map((row) => row.error)),
  wall: mean(rows.map((row) => row.wall)),
  cpu: mean(rows.map((row) => row.cpu)),
});

function printTable(rows: readonly PageScore[], readers: readonly Reader[]): void {
  console.log("\nreader                        pictures  recall  mean CER  median CER  s/page  CPU s/page  most MB");
  for (const { name, peak } of readers) {
    for (const kind of [...KINDS, "all"] as const) {
      const own = rows.filter((row) => row.reader === name && (kind === "all" || row.kind === kind));
      const { recall, error, middle, wall, cpu } = summarise(own);
      console.log(
        `${name.padEnd(30)}${kind.padEnd(10)}${recall.toFixed(3)}   ${error.toFixed(4)}    ${middle.toFixed(4)}      ` +
          `${wall.toFixed(2).padStart(5)}   ${cpu.toFixed(2).padStart(8)}    ${peak().toFixed(0).padStart(6)}`,
      );
    }
  }
}

/** The ratios of the pages' times, each picture read by both one after the other; INCONCLUSIVE where they scatter. */
function ratiosOf(rows: readonly PageScore[], name: string, yardstick: string, time: "cpu" | "wall"): string {
  const ratios = rows
    .filter(({ reader }) => reader === name)
    .flatMap((own) => {
      const other = rows.find(
        ({ reader, page, kind }) => reader === yardstick && page === own.page && kind === own.kind,
      );
      return other === undefined ? [] : [own[time] / other[time]];
    });
  const spread = spreadOf(ratios);
  return sayFigure(spread, isNarrow(spread, MAX_RATIO_INTERVAL));
}

function printRatios(rows: readonly PageScore[], readers: readonly Reader[], yardstick: Reader): void {
  console.log(sayLoad({ load: loadavg()[0] ?? Number.NaN, processors: availableParallelism() }));
  const theirs = summarise(rows.filter(({ reader }) => reader === yardstick.name));
  for (const { name } of readers) {
    if (name === yardstick.name) continue;
    const ours = summarise(rows.filter(({ reader }) => reader === name));
    const goal = MAX_CPU_RATIO[name.includes("native") ? "native" : "embedded"];
    console.log(
      `${name} beside ${yardstick.name}: error ${(ours.error / theirs.error).toFixed(2)} times (goal ${MAX_ERROR_RATIO.toFixed(2)}), ` +
        `processor time ${(ours.cpu / theirs.cpu).toFixed(2)} times (goal ${goal.toFixed(2)}), ` +
        `wall time ${(ours.wall / theirs.wall).toFixed(2)} times`,
    );
    const [cpu, wall] = (["cpu", "wall"] as const).map((time) => ratiosOf(rows, name, yardstick.name, time));
    console.log(`  median page: processor time ${cpu} times, wall time ${wall} times`);
  }
}

function printWorst(rows: readonly PageScore[], readers: readonly Reader[], most: number): void {
  for (const { name } of readers) {
    const own = rows.filter(({ reader }) => reader === name).sort((a, b) => b.error - a.error);
    for (const { page, kind, recall, error } of own.slice(0, most)) {
      console.log(
        `  ${name.padEnd(28)} ${kind.padEnd(6)} CER ${error.toFixed(3)} recall ${recall.toFixed(3)}  ${page}`,
      );
    }
  }
}

async function reportScans(corpus: string, readers: readonly Reader[]): Promise<void> {
  console.log("\nThe corpus' scans: snippets found (handwritten values found)");
  for (const reader of readers) {
    const files = await readScans(corpus, reader);
    const sum = (pick: (file: (typeof files)[number]) => number): number =>
      files.reduce((total, file) => total + pick(file), 0);
    const share = sum(({ snippets }) => snippets.found) / sum(({ snippets }) => snippets.all);
    const written = `${sum(({ handwriting }) => handwriting.found)} of ${sum(({ handwriting }) => handwriting.all)}`;
    console.log(`${reader.name.padEnd(30)}${share.toFixed(2)} (goal 0.85); handwriting ${written}`);
    for (const { file, snippets } of files) {
      if (snippets.found < snippets.all) console.log(`  ${snippets.found} of ${snippets.all}  ${file}`);
    }
  }
}

/** The native engine only when its program is installed. */
async function openReaders(yardstick: Reader | undefined, level: OcrLevel): Promise<Reader[]> {
  const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: "white" } })
    .png()
    .toBuffer();
  const first = { picture: new Uint8Array(picture), frame: { width: 2, height: 2 } };
  const readers = [await openReader("embedded", level, first)];
  if (yardstick !== undefined) readers.push(await openReader("native", level, first), yardstick);
  return readers;
}

/** The value of an option. */
function option(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const yardstick = openYardstick(async (picture) => (await sharp(picture).metadata()).width);
  if (yardstick === undefined) console.warn("NOT COMPARED: the program tesseract is not installed; no native engine");
  const named = option(args, "--level");
  const level: OcrLevel = named === "LOW" || named === "PREMIUM" ? named : "DEFAULT";
  const [rows, readers] = await readPages(corpus, Number(option(args, "--pages") ?? 16), () =>
    openReaders(yardstick, level),
  );
  try {
    console.log(`${rows.length / readers.length / KINDS.length} pages, each clean and as a scan; level ${level}`);
    printTable(rows, readers);
    if (yardstick !== undefined) printRatios(rows, readers, yardstick);
    printWorst(rows, readers, Number(option(args, "--worst") ?? 0));
    await reportScans(corpus, readers);
  } finally {
    for (const reader of readers) await reader.close();
  }
}
