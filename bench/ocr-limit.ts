/**
 * How many scanned pages are recognised within a job's 300 seconds on this machine, for each engine and mode: pages as a
 * poor scanner gives them, drawn at the resolution of the mode and recognised, by the processor time that both take, with
 * all processors at it. `npm run bench -- ocr-limit [--pages N] [--corpus DIR]`.
 */
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { PDFDocument } from "@cantoo/pdf-lib";
import { run as picture } from "../functions/engine/tasks/picture.run.ts";
import { PDF } from "../functions/ports/media-types.ts";
import type { OcrImage, OcrLevel } from "../functions/ports/ocr.ts";
import { openReader } from "./ocr/engines.ts";
import { benchPages } from "./ocr/pages.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import { timed } from "./text/times.ts";

const SECONDS = 300;
const POINTS_PER_INCH = 72;
/** As the service keeps them: one for each processor, 8 at most. */
const PROCESSES = Math.min(availableParallelism(), 8);
const LEVELS: readonly OcrLevel[] = ["LOW", "DEFAULT", "PREMIUM"];

/** The pages as one scanned document. */
async function scanOf(corpus: string, most: number): Promise<{ pdf: Uint8Array; pages: number }> {
  const document = await PDFDocument.create();
  for await (const { scan, frame } of benchPages(corpus, most)) {
    const [width, height] = [frame.width * POINTS_PER_INCH, frame.height * POINTS_PER_INCH];
    const picture = await document.embedJpg(scan);
    document.addPage([width, height]).drawImage(picture, { x: 0, y: 0, width, height });
  }
  return { pages: document.getPageCount(), pdf: await document.save() };
}

const draw = (pdf: Uint8Array, pageNumber: number, level: OcrLevel): Promise<OcrImage> =>
  picture.run({ bytes: pdf, options: { mimeType: PDF, pageNumber, level, maxBytes: 64 * 2 ** 20 } });

/** Seconds of processors for a page, drawing and reading. */
async function secondsPerPage(
  { pdf, pages }: { pdf: Uint8Array; pages: number },
  engine: "embedded" | "native",
  level: OcrLevel,
): Promise<number> {
  const first = await draw(pdf, 1, level);
  const reader = await openReader(engine, level, { picture: first.bytes, frame: first.frame });
  let seconds = 0;
  try {
    for (let number = 1; number <= pages; number += 1) {
      const [{ bytes, frame }, drawing] = await timed(() => draw(pdf, number, level));
      seconds += drawing.cpu / 1000 + (await reader.read(bytes, frame)).cpu;
    }
  } finally {
    await reader.close();
  }
  return seconds / pages;
}

function print(engine: string, mode: string, seconds: number): void {
  const fit = Math.floor((SECONDS * PROCESSES) / seconds);
  console.log(`${engine.padEnd(10)}${mode.padEnd(26)}${seconds.toFixed(2).padStart(10)}   ${String(fit).padStart(8)}`);
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const hasProgram = spawnSync("tesseract", ["--version"]).status === 0;
  if (!hasProgram) console.warn("NOT MEASURED: the program tesseract is not installed; no native engine");
  const at = args.indexOf("--pages");
  const scan = await scanOf(corpus, at < 0 ? 6 : Number(args[at + 1]));
  console.log(`${scan.pages} scanned pages; ${PROCESSES} processes, a page each\n`);
  console.log(`engine    ocr                       CPU s/page   pages in ${SECONDS} s`);
  for (const engine of hasProgram ? (["embedded", "native"] as const) : (["embedded"] as const)) {
    const seconds = { LOW: 0, DEFAULT: 0, PREMIUM: 0 };
    for (const level of LEVELS) {
      seconds[level] = await secondsPerPage(scan, engine, level);
      print(engine, level, seconds[level]);
    }
    print(engine, "AUTO, every page poor", seconds.DEFAULT + seconds.PREMIUM);
  }
}
