/**
 * Tasks of the recognition processes. The module's query names the languages (`?langs=eng,deu`); without any, a process
 * prepares pictures for the program, and looks at them a second time. The engine is loaded before the first task, the
 * second recogniser with its first picture.
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
import { SecondLook } from "./second-look.ts";
import type { ReadWord } from "./tesseract-tsv.ts";

export interface RecognizeTask {
  bytes: Uint8Array;
  frame: OcrFrame;
  pageNumber: number;
  level: OcrLevel;
  keepCheckboxes: boolean;
  /** The second recogniser may be asked. */
  secondLook: boolean;
  /** Milliseconds from now. */
  timeLeft: number;
}

/** A page, and why it got no second look where one was due. */
export interface RecognizeAnswer {
  page: OcrPage;
  secondLookFault?: string;
}

export interface PrepareTask {
  bytes: Uint8Array;
  frame: OcrFrame;
  preparation: Preparation;
  maxDpi: number;
}

export interface LookTask {
  gray: GrayImage;
  dpi: number;
  /** Milliseconds from now. */
  timeLeft: number;
}

/** The words of the second recogniser; without them, why there are none, unless the time was too short. */
export interface LookAnswer {
  words?: ReadWord[];
  secondLookFault?: string;
}

/** Least share of stray ink for a second pass: the engine is loaded, so a pass costs little more than what it reads. */
const MIN_STRAY_SHARE = 0.02;

// The first argument of a pooled process is the URL of this module, also where a bundle has it inside.
const langs = new URL(process.argv[2] ?? import.meta.url).searchParams.get("langs") ?? "";
const second = new SecondLook();
const embedded = langs === "" ? undefined : await openEmbedded(langs.split(","));

async function prepare({ bytes, frame, preparation, maxDpi }: PrepareTask): Promise<PreparedPicture> {
  return preparePicture(await decodeGray(bytes, frame, maxDpi), frame, preparation);
}

const faultOfLook = (): { secondLookFault?: string } =>
  second.fault === undefined ? {} : { secondLookFault: second.fault };

async function look({ gray, dpi, timeLeft }: LookTask): Promise<LookAnswer> {
  const end = performance.now() + timeLeft;
  const words = await second.read(gray, dpi, () => performance.now() < end);
  return words === undefined ? faultOfLook() : { words };
}

async function recognize(task: RecognizeTask): Promise<RecognizeAnswer> {
  if (embedded === undefined) throw new TypeError("This process has no languages");
  const { bytes, frame, level, keepCheckboxes, secondLook, timeLeft } = task;
  const started = performance.now();
  // Milliseconds of the longest pass, which is the first one over the whole page.
  let longestPass = 0;
  const hasTime = (passes: number): boolean => timeLeft - (performance.now() - started) > 1.5 * passes * longestPass;
  let decoded: { gray: GrayImage; maxDpi: number } | undefined;
  const reading = await readPicture(
    {
      minStrayShare: MIN_STRAY_SHARE,
      minRowStrayShare: 0,
      hasTime,
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
      ...(secondLook ? { lookAgain: (gray: GrayImage, dpi: number) => second.read(gray, dpi, () => hasTime(1)) } : {}),
    },
    level,
    keepCheckboxes,
  );
  return { page: toOcrPage(reading, frame, task.pageNumber), ...faultOfLook() };
}

export const tasks: PoolTasks = { recognize, prepare, look };
