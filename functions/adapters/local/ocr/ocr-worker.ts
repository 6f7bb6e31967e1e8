/**
 * The tasks of the recognition processes. Their languages stand in the module's query (`?langs=eng,deu`); without any,
 * a process only prepares pictures, for a program that recognises them. The engine is loaded before the first task.
 */
import { performance } from "node:perf_hooks";
import type { Gray } from "../../../engine/imaging/gray-image.ts";
import { type Preparation, type Prepared, preparePicture } from "../../../engine/imaging/prepare-picture.ts";
import type { OcrFrame, OcrLevel, OcrPage } from "../../../ports/ocr.ts";
import type { PoolTasks } from "../pool/protocol.ts";
import { decodeGray } from "./decode.ts";
import { openEmbedded } from "./embedded.ts";
import { toOcrPage } from "./page.ts";
import { readPicture } from "./reading.ts";

export interface RecognizeTask {
  bytes: Uint8Array;
  frame: OcrFrame;
  pageNumber: number;
  level: OcrLevel;
  keepBoxes: boolean;
  /** Milliseconds from now. */
  timeLeft: number;
}

export interface PrepareTask {
  bytes: Uint8Array;
  frame: OcrFrame;
  preparation: Preparation;
  mostDpi: number;
}

/** The engine is at hand: a look costs little more than what it reads. */
const WORTH = 0.02;

const langs = new URL(import.meta.url).searchParams.get("langs") ?? "";
const embedded = langs === "" ? undefined : await openEmbedded(langs.split(","));

async function prepare({ bytes, frame, preparation, mostDpi }: PrepareTask): Promise<Prepared> {
  return preparePicture(await decodeGray(bytes, frame, mostDpi), frame, preparation);
}

async function recognize(task: RecognizeTask): Promise<OcrPage> {
  if (embedded === undefined) throw new TypeError("This process has no languages");
  const { bytes, frame, level, keepBoxes, timeLeft } = task;
  const started = performance.now();
  // How long the first look at the whole page took; others take about as long.
  let look = 0;
  let decoded: { gray: Gray; mostDpi: number } | undefined;
  const reading = await readPicture(
    {
      worth: WORTH,
      worthBeside: 0,
      hasTime: (looks) => timeLeft - (performance.now() - started) > 1.5 * looks * look,
      async prepare(preparation, mostDpi) {
        decoded = decoded?.mostDpi === mostDpi ? decoded : { gray: await decodeGray(bytes, frame, mostDpi), mostDpi };
        return preparePicture(decoded.gray, frame, preparation);
      },
      async recognize(gray, dpi, mode) {
        const before = performance.now();
        const words = await embedded.recognize(gray, dpi, mode);
        look = Math.max(look, performance.now() - before);
        return words;
      },
    },
    level,
    keepBoxes,
  );
  return toOcrPage(reading, frame, task.pageNumber);
}

export const tasks: PoolTasks = { recognize, prepare };
