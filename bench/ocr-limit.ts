/**
 * The number of scanned pages that are recognised within a job's 300 seconds on this machine, for each engine and mode:
 * pages degraded like a poor scan, drawn at the resolution of the mode and recognised, by the CPU time of both, with
 * all processors at work. `npm run bench -- ocr-limit [--pages N] [--corpus DIR]`.
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
import { timeWork } from "./text/times.ts";

const JOB_SECONDS = 300;
const POINTS_PER_INCH = 72;
/** Like the service: one for each processor, at most 8. */
const OCR_PROCESSES = Math.min(availableParallelism(), 8);
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

const drawPage = (pdf: Uint8Array, pageNumber: number, level: OcrLevel): Promise<OcrImage> =>
  picture.run({ bytes: pdf, options: { mimeType: PDF, pageNumber, level, maxBytes: 64 * 2 ** 20 } });

/** CPU seconds of a page, for drawing and recognition. */
async function secondsPerPage(
  { pdf, pages }: { pdf: Uint8Array; pages: number },
  engine: "embedded" | "native",
  level: OcrLevel,
): Promise<number> {
  const first = await drawPage(pdf, 1, level);
  const reader = await openReader(engine, level, { picture: first.bytes, frame: first.frame });
  let seconds = 0;
  try {
    for (let number = 1; number <= pages; number += 1) {
      const [{ bytes, frame }, drawing] = await timeWork(() => drawPage(pdf, number, level));
      seconds += drawing.cpu / 1000 + (await reader.read(bytes, frame)).cpu;
    }
  } finally {
    await reader.close();
  }
  return seconds / pages;
}

function printLimit(engine: string, mode: string, seconds: number): void {
  const fit = Math.floor((JOB_SECONDS * OCR_PROCESSES) / seconds);
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
  console.log(`${scan.pages} scanned pages; ${OCR_PROCESSES} processes, a page each\n`);
  console.log(`engine    ocr                       CPU s/page   pages in ${JOB_SECONDS} s`);
  for (const engine of hasProgram ? (["embedded", "native"] as const) : (["embedded"] as const)) {
    const seconds = { LOW: 0, DEFAULT: 0, PREMIUM: 0 };
    for (const level of LEVELS) {
      seconds[level] = await secondsPerPage(scan, engine, level);
      printLimit(engine, level, seconds[level]);
    }
    printLimit(engine, "AUTO, every page poor", seconds.DEFAULT + seconds.PREMIUM);
  }
}
