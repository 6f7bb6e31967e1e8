/**
 * Tasks of the recognition processes. The module's query names the languages (`?langs=eng,deu`); without any, a process
 * only prepares pictures for the program. The engine is loaded before the first task.
 */
import { performance } from "node:perf_hooks";
import type { GrayImage } from "../../../engine/imaging/gray-image.ts";
import { type Preparation, type PreparedPicture, preparePicture } from "../../../engine/imaging/prepare-picture.ts";
import type { OcrFrame, OcrLevel, OcrPage } from "../../../ports/ocr.ts";
import type { PoolTasks } from "../pool/protocol.ts";
import { decodeGray } from "./decode-picture.ts";
import { openEmbedded } from "./embedded-tesseract.ts";
import { toOcrPage } from "./ocr-page.ts";
import { readPicture } from "./read-picture.ts";

export interface RecognizeTask {
  bytes: Uint8Array;
  frame: OcrFrame;
  pageNumber: number;
  level: OcrLevel;
  keepCheckboxes: boolean;
  /** Milliseconds from now. */
  timeLeft: number;
}

export interface PrepareTask {
  bytes: Uint8Array;
  frame: OcrFrame;
  preparation: Preparation;
  maxDpi: number;
}

/** Least share of stray ink for a second pass: the engine is loaded, so a pass costs little more than what it reads. */
const MIN_STRAY_SHARE = 0.02;

// The first argument of a pooled process is the URL of this module, also where a bundle has it inside.
const langs = new URL(process.argv[2] ?? import.meta.url).searchParams.get("langs") ?? "";
const embedded = langs === "" ? undefined : await openEmbedded(langs.split(","));

async function prepare({ bytes, frame, preparation, maxDpi }: PrepareTask): Promise<PreparedPicture> {
  return preparePicture(await decodeGray(bytes, frame, maxDpi), frame, preparation);
}

async function recognize(task: RecognizeTask): Promise<OcrPage> {
  if (embedded === undefined) throw new TypeError("This process has no languages");
  const { bytes, frame, level, keepCheckboxes, timeLeft } = task;
  const started = performance.now();
  // Milliseconds of the longest pass, which is the first one over the whole page.
  let longestPass = 0;
  let decoded: { gray: GrayImage; maxDpi: number } | undefined;
  const reading = await readPicture(
    {
      minStrayShare: MIN_STRAY_SHARE,
      minRowStrayShare: 0,
      hasTime: (passes) => timeLeft - (performance.now() - started) > 1.5 * passes * longestPass,
      async prepare(preparation, maxDpi) {
        decoded = decoded?.maxDpi === maxDpi ? decoded : { gray: await decodeGray(bytes, frame, maxDpi), maxDpi };
        return preparePicture(decoded.gray, frame, preparation);
      },
      async recognize(gray, dpi, mode) {
        const before = performance.now();
        const words = await embedded.recognize(gray, dpi, mode);
        longestPass = Math.max(longestPass, performance.now() - before);
        return words;
      },
    },
    level,
    keepCheckboxes,
  );
  return toOcrPage(reading, frame, task.pageNumber);
}

export const tasks: PoolTasks = { recognize, prepare };
