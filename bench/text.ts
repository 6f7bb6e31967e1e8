/**
 * Speed and quality of reading words and their boxes from PDFs with a text layer, compared with poppler's `pdftotext
 * -bbox` on the same files in the same run: the words in reading order like poppler's, and the whole reading with
 * tables, structure and quality, which is closest to `pdftotext -bbox-layout`. The timed work is the judged work.
 * Poppler starts a process for each document, ours runs already; so poppler's start is measured and reported
 * separately. The floor holds for the words. `npm run bench -- text [--corpus DIR] [--rounds N]`: at most N rounds; exits with code 1
 * when a requirement fails.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { withPdf } from "../functions/engine/readers/pdf/pdf-document.ts";
import { readPdfPage } from "../functions/engine/readers/pdf/read-pdf-page.ts";
import { readDocument } from "../functions/engine/readers/read-document.ts";
import type { Page } from "../functions/ports/layout.ts";
import { canMeasure, corpusFolder, textPdfs } from "./support/corpus.ts";
import { atLeast, type RequirementLine, requireAll } from "./support/holds.ts";
import { parseBoxes, timePoppler } from "./support/poppler.ts";
import { isNarrow, judge, type Repeated, repeatUntilNarrow, sayFigure, sayLoad } from "./support/repeat.ts";
import { compareWords, printQuality, type ReadingQuality, share, sumQuality } from "./text/quality.ts";
import { bestOf, compareTimes, speed, type TimeUse, timeWork } from "./text/times.ts";

const MIN_SPEED_RATIO = 0.8;
/** The widest interval of a figure, as a share of it. */
const MAX_WIDTH = 0.1;
const MOST_MINUTES = 10;
const MIN_RECALL = 0.99;
const MIN_PRECISION = 0.98;

/** The counterpart of poppler's `-bbox`: the words in reading order with their boxes on the page. */
const readWords = (bytes: Uint8Array): Promise<Page[]> =>
  withPdf(bytes, ({ pageCount, withPage }) =>
    Array.from({ length: pageCount }, (_, index) =>
      withPage(index, (page) => readPdfPage(page, index + 1, { tables: false })),
    ),
  );

const readWhole = async (bytes: Uint8Array): Promise<Page[]> =>
  (await readDocument(bytes, { mimeType: "application/pdf" })).layout.pages;

const READERS = { words: readWords, whole: readWhole };
const YARDSTICKS = { bbox: "-bbox", layout: "-bbox-layout" } as const;

interface RoundTimes {
  words: TimeUse;
  whole: TimeUse;
  bbox: TimeUse;
  layout: TimeUse;
}

interface Measured {
  file: string;
  bytes: Uint8Array;
  pages: number;
  /** The best of all rounds, and the last round's. */
  times: RoundTimes;
  last: RoundTimes;
  quality: { words: ReadingQuality; whole: ReadingQuality };
}

/** One round over a document; the first one also judges the words. */
async function measure(file: string, known: Measured | undefined): Promise<Measured> {
  const bytes = known?.bytes ?? new Uint8Array(await readFile(file));
  const [html, bbox] = timePoppler(file, YARDSTICKS.bbox);
  const [words, wordsUse] = await timeWork(() => READERS.words(bytes));
  const [whole, wholeUse] = await timeWork(() => READERS.whole(bytes));
  const [, layout] = timePoppler(file, YARDSTICKS.layout);
  const times = {
    words: bestOf(known?.times.words, wordsUse),
    whole: bestOf(known?.times.whole, wholeUse),
    bbox: bestOf(known?.times.bbox, bbox),
    layout: bestOf(known?.times.layout, layout),
  };
  const last: RoundTimes = { words: wordsUse, whole: wholeUse, bbox, layout };
  if (known !== undefined) return { ...known, times, last };
  const theirs = parseBoxes(html);
  const quality = { words: compareWords(words, theirs), whole: compareWords(whole, theirs) };
  return { file, bytes, pages: whole.length, times, last, quality };
}

/** The time of a poppler process for an empty page. */
async function measureStart(rounds: number): Promise<TimeUse> {
  const folder = await mkdtemp(path.join(tmpdir(), "sheaf-bench-"));
  try {
    const pdf = await PDFDocument.create();
    pdf.addPage();
    const file = path.join(folder, "blank.pdf");
    await writeFile(file, await pdf.save());
    const uses = Array.from({ length: 5 * rounds }, () => timePoppler(file, YARDSTICKS.bbox)[1]);
    return uses.reduce<TimeUse>(bestOf, { wall: Infinity, cpu: Infinity });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function printDocuments(measured: readonly Measured[]): void {
  const cells = ["pages", "words ms", "whole ms", "-bbox ms", "words ×", "whole ×", "recall", "precision", "broken"];
  console.log(`\n${"wall time; words as timed".padEnd(42)}${cells.map((cell) => cell.padStart(10)).join("")}`);
  for (const { file, pages, times, quality } of measured) {
    const { matched, ours, theirs, fragments } = quality.words;
    const values = [
      `${pages}`,
      times.words.wall.toFixed(0),
      times.whole.wall.toFixed(0),
      times.bbox.wall.toFixed(0),
      (times.bbox.wall / times.words.wall).toFixed(2),
      (times.bbox.wall / times.whole.wall).toFixed(2),
      share(matched, theirs),
      share(matched, ours),
      `${fragments}`,
    ];
    console.log(`${path.basename(file).padEnd(42)}${values.map((value) => value.padStart(10)).join("")}`);
  }
}

const usesOf = (measured: readonly Measured[], what: keyof Measured["times"]): TimeUse[] =>
  measured.map(({ times }) => times[what]);

function printSpeeds(measured: readonly Measured[], start: TimeUse): void {
  const pages = measured.reduce((sum, one) => sum + one.pages, 0);
  console.log(`\n${measured.length} documents, ${pages} pages, one core; pages/s by wall, by processor time`);
  const print = (name: string, what: keyof Measured["times"]): void => {
    const [wall, cpu] = (["wall", "cpu"] as const).map((key) => speed(pages, usesOf(measured, what), key).toFixed(0));
    console.log(`  ${name.padEnd(40)}${wall?.padStart(8)}${cpu?.padStart(8)}`);
  };
  print("pdftotext -bbox, a process a file", "bbox");
  print("pdftotext -bbox-layout, a process a file", "layout");
  print("words in order, with boxes", "words");
  print("the whole reading", "whole");
  console.log(
    `  a process of poppler's starts in ${start.wall.toFixed(1)} ms (${start.cpu.toFixed(1)} of processor time)`,
  );
}

/** Prints the speed relative to a yardstick, with and without its start. */
function printRatio(
  measured: readonly Measured[],
  start: TimeUse,
  [ours, theirs]: ["words" | "whole", "bbox" | "layout"],
): void {
  const uses = [usesOf(measured, ours), usesOf(measured, theirs)] as const;
  const whole = compareTimes(...uses);
  const bare = compareTimes(...uses, start);
  const numbers = [whole.wall, whole.cpu, bare.wall, bare.cpu, whole.median, whole.worst];
  const name = `${ours === "words" ? "words" : "the whole"} beside ${YARDSTICKS[theirs]}`;
  const worst = path.basename(measured[whole.worstAt]?.file ?? "");
  console.log(`  ${name.padEnd(32)}${numbers.map((number) => number.toFixed(2).padStart(9)).join("")}  ${worst}`);
}

/** Times as fast as poppler in one round, over all documents. */
function ratiosOf(round: readonly RoundTimes[]) {
  const compared = (ours: "words" | "whole", theirs: "bbox" | "layout") =>
    compareTimes(
      round.map((times) => times[ours]),
      round.map((times) => times[theirs]),
    );
  const [words, whole, layout] = [compared("words", "bbox"), compared("whole", "bbox"), compared("whole", "layout")];
  return {
    "words beside -bbox, wall": words.wall,
    "words beside -bbox, processor": words.cpu,
    "the whole beside -bbox, wall": whole.wall,
    "the whole beside -bbox, processor": whole.cpu,
    "the whole beside -bbox-layout, wall": layout.wall,
    "the whole beside -bbox-layout, processor": layout.cpu,
  };
}

/** Prints the medians of the rounds. @returns how the speed of words is judged */
function printRounds(repeated: Repeated<keyof ReturnType<typeof ratiosOf>>): RequirementLine[] {
  const { spreads } = repeated;
  console.log(`\ntimes as fast as poppler, median of the rounds; ${sayLoad(repeated)}`);
  for (const [name, spread] of Object.entries(spreads)) {
    console.log(`  ${name.padEnd(44)}${sayFigure(spread, isNarrow(spread, MAX_WIDTH))}`);
  }
  return (["words beside -bbox, wall", "words beside -bbox, processor"] as const).map((name) => {
    const verdict = judge(spreads[name], { least: MIN_SPEED_RATIO });
    const found = sayFigure(spreads[name], verdict !== "INCONCLUSIVE");
    return { name: `speed of ${name}: ${MIN_SPEED_RATIO} at least`, ok: verdict === "holds", found };
  });
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus, "pdftotext")) return;
  const at = args.indexOf("--rounds");
  const rounds = at >= 0 ? Math.max(Number(args[at + 1]), 1) : 20;
  const files = await textPdfs(corpus);
  let all: Measured[] = [];
  // All documents before the next round, so that no document is measured warm from itself.
  const repeated = await repeatUntilNarrow(
    async () => {
      const next: Measured[] = [];
      for (const [index, file] of files.entries()) next.push(await measure(file, all[index]));
      all = next;
      return ratiosOf(all.map(({ last }) => last));
    },
    { mostRounds: rounds, mostMs: MOST_MINUTES * 60_000 },
  );
  const start = await measureStart(rounds);
  printDocuments(all);
  const speeds = printRounds(repeated);
  printSpeeds(all, start);
  console.log(
    "\nthe same by the best round of each document: wall, processor time; both without its start; of processor time the middle and worst file",
  );
  printRatio(all, start, ["words", "bbox"]);
  printRatio(all, start, ["whole", "bbox"]);
  printRatio(all, start, ["whole", "layout"]);
  const quality = sumQuality(all.map((one) => one.quality.words));
  const wholeQuality = sumQuality(all.map((one) => one.quality.whole));
  printQuality("Words in order", quality);
  printQuality("The whole reading", wholeQuality);
  requireAll([
    ...speeds,
    ...[quality, wholeQuality].flatMap((one, index) => {
      const name = index === 0 ? "words in order" : "the whole reading";
      return [
        atLeast(`${name}, recall`, one.matched / one.theirs, MIN_RECALL),
        atLeast(`${name}, precision`, one.matched / one.ours, MIN_PRECISION),
      ];
    }),
  ]);
}
