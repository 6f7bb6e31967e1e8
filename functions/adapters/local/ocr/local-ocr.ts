/**
 * OcrEngine of one machine: recognises pictures in parallel in a pool of processes, which starts with the first
 * picture, or while that is drawn.
 */
import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import type * as z from "zod";
import type { GrayImage } from "../../../engine/imaging/gray-image.ts";
import type { Clock } from "../../../ports/clock.ts";
import { JOB_SENTENCES, JobFailure, ServiceUnavailable, timeoutSentence } from "../../../ports/errors.ts";
import type { WorkLimits } from "../../../ports/limits.ts";
import type { OcrEngine, OcrImage, OcrLevel, OcrPage } from "../../../ports/ocr.ts";
import { createPool, type Pool, type PoolEvent } from "../pool/pool.ts";
import { type KillReason, WorkerKilled } from "../pool/worker-killed.ts";
import * as answers from "./answer-schemas.ts";
import { checkLanguageNames, languageFile } from "./language-data.ts";
import { type NativeTesseract, openNative } from "./native-tesseract.ts";
import { toOcrPage } from "./ocr-page.ts";
import type { LookTask, PrepareTask, RecognizeTask } from "./ocr-worker.ts";
import { readPicture } from "./read-picture.ts";
import type { RecognitionTools } from "./recognition-tools.ts";
import { Turns } from "./turns.ts";

export interface LocalOcrOptions {
  clock: Clock;
  /** Limit that a job's timeout sentence names. */
  jobTimeoutSeconds: number;
  /** Tesseract's names of languages, such as `eng`, `deu`; the first counts most. */
  langs: readonly string[];
  /**
   * `embedded`: Tesseract as WebAssembly, from npm packages alone. `native`: the program `tesseract` of this machine.
   */
  engine: "embedded" | "native";
  /** Doubtful pictures are read by a second recogniser too. Default: true. */
  secondLook?: boolean;
  /** Module with the processes' tasks; tests replace it. */
  module?: URL;
  /** The bundled process of that module (ocr-process.ts). Without it, processes run from the sources. */
  bundled?: URL;
  /** Pictures recognised at once. Default: number of processors, from 1 to 8. */
  size?: number;
  /** Limit of one process's resident memory. Default: 1 GiB. */
  memoryLimitBytes?: number;
  /** Folders that are searched for the native program. Default: the PATH. */
  searchPath?: string;
  onEvent?: (event: PoolEvent) => void;
  /** Called once, with the reason, when the second recogniser cannot be loaded or fails. */
  onSecondLookFault?: (reason: string) => void;
}

/** Pages' pictures are smaller; the pool's protocol copies them. */
const MAX_IMAGE_BYTES = 64 * 2 ** 20;
/** Pixels along a picture's side; Tesseract itself takes 32,767. */
const MAX_SIDE_PIXELS = 20_000;
/** A process is replaced after this many pictures, however little memory it keeps: its start takes as long as one. */
const RECYCLE_AFTER_PICTURES = 1_000;
/** Milliseconds to load the engine and its languages, also on a busy machine. */
const START_TIMEOUT_MS = 60_000;
const MEMORY_SENTENCE = "Processing failed: The document needs more memory than is allowed";
const SECOND_LOOK_MEMORY = "its process needed more memory than is allowed";
const TOO_LARGE_SENTENCE = "Processing failed: Document is too large for text recognition";

/**
 * Least share of stray ink for a second pass: the program takes a fifth of a second to start, which only a lost table
 * or column is worth.
 */
const MIN_STRAY_SHARE = 0.25;
/** The same for a pass along rows, which finds less; a column of figures is always worth one. */
const MIN_ROW_STRAY_SHARE = 0.03;

/** Languages in whose scripts a square is a letter. */
const LANGUAGES_WITH_SQUARES = /^(?:chi|jpn|kor|heb|yid)/;

type RunTask = <T>(task: string, payload: unknown, limits: WorkLimits, answer: z.ZodType<T>) => Promise<T>;

const usageOf = (name: string): { provider: string; operation: string; features: string[]; pages: number } => ({
  provider: name,
  operation: "recognize",
  features: [],
  pages: 1,
});

type LookAgain = NonNullable<RecognitionTools["lookAgain"]>;

/** Looks at a picture a second time in the pool. A look that costs its process gives no words. */
async function lookInPool(
  work: RunTask,
  task: LookTask,
  limits: WorkLimits,
  onFault: (reason: string) => void,
): ReturnType<LookAgain> {
  try {
    const { words, secondLookFault } = await work("look", task, limits, answers.looked);
    if (secondLookFault !== undefined) onFault(secondLookFault);
    return words;
  } catch (error) {
    if (!(error instanceof WorkerKilled) || error.reason === "outside" || error.reason === "deadline") throw error;
    onFault(error.reason === "memory" ? SECOND_LOOK_MEMORY : "its process ended");
    return undefined;
  }
}

interface Pages {
  work: RunTask;
  clock: Clock;
  keepCheckboxes: boolean;
  /** Undefined: there is no second look. */
  onSecondLookFault: ((reason: string) => void) | undefined;
}

interface NativePages extends Pages {
  native: NativeTesseract;
  turns: Turns;
}

/** Recognises pictures in the pool. A page whose second look costs its process is read without one. */
function embeddedPages({ work, clock, keepCheckboxes, onSecondLookFault }: Pages) {
  return async (image: OcrImage, level: OcrLevel, limits: WorkLimits): Promise<OcrPage> => {
    const ask = async (secondLook: boolean): Promise<OcrPage> => {
      const timeLeft = limits.deadline - clock.now();
      const task = { ...image, level, keepCheckboxes, secondLook, timeLeft } satisfies RecognizeTask;
      const { page, secondLookFault } = await work("recognize", task, limits, answers.recognized);
      if (secondLookFault !== undefined) onSecondLookFault?.(secondLookFault);
      return page;
    };
    try {
      return await ask(onSecondLookFault !== undefined);
    } catch (error) {
      const isMemory = error instanceof WorkerKilled && error.reason === "memory";
      if (!isMemory || onSecondLookFault === undefined || level === "LOW") throw error;
      onSecondLookFault(SECOND_LOOK_MEMORY);
      return ask(false);
    }
  };
}

/**
 * Prepares pictures in the pool and recognises them with the program, at most one page at a time for each of `turns`.
 */
function nativePages({ native, work, turns, clock, keepCheckboxes, onSecondLookFault }: NativePages) {
  return ({ bytes, frame, pageNumber }: OcrImage, level: OcrLevel, limits: WorkLimits): Promise<OcrPage> =>
    turns.take(limits.group ?? "", async () => {
      const deadline = performance.now() + limits.deadline - clock.now();
      let longestPass = 0;
      const timeLeft = (passes: number): number => deadline - performance.now() - 1.5 * passes * longestPass;
      const reading = await readPicture(
        {
          minStrayShare: MIN_STRAY_SHARE,
          minRowStrayShare: MIN_ROW_STRAY_SHARE,
          hasTime: (passes) => timeLeft(passes) > 0,
          prepare: (preparation, maxDpi) =>
            work("prepare", { bytes, frame, preparation, maxDpi } satisfies PrepareTask, limits, answers.prepared),
          async recognize(gray, dpi, mode) {
            const before = performance.now();
            const words = await native.recognize(gray, dpi, mode, deadline);
            longestPass = Math.max(longestPass, performance.now() - before);
            return words;
          },
          ...(onSecondLookFault === undefined
            ? {}
            : {
                lookAgain: (gray: GrayImage, dpi: number) =>
                  lookInPool(work, { gray, dpi, timeLeft: timeLeft(1) }, limits, onSecondLookFault),
              }),
        },
        level,
        keepCheckboxes,
      );
      return toOcrPage(reading, frame, pageNumber);
    });
}

/** A listener that hears the first call only. */
function once(listen: ((reason: string) => void) | undefined): (reason: string) => void {
  let heard = false;
  return (reason) => {
    if (!heard) listen?.(reason);
    heard = true;
  };
}

/** Pool that starts with its first task, or just before it, so that a service without recognition has no processes for it. */
function lazyPool(options: LocalOcrOptions, module: URL, size: number, memoryLimitBytes: number) {
  let pool: Pool | undefined;
  let closed = false;
  const start = (): Pool => {
    pool ??= createPool({
      module,
      ...(options.bundled === undefined ? {} : { bundled: options.bundled }),
      size,
      memoryLimitBytes,
      recycleAfter: RECYCLE_AFTER_PICTURES,
      startTimeoutMs: START_TIMEOUT_MS,
      now: () => options.clock.now(),
      ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
    });
    return pool;
  };
  return {
    warm(): void {
      if (!closed) start();
    },
    run(task: string, payload: unknown, limits: WorkLimits): Promise<unknown> {
      if (closed) throw new ServiceUnavailable("The service is stopping; try again when it is back");
      return start().run(task, payload, limits);
    },
    async close(): Promise<void> {
      closed = true;
      await pool?.close();
    },
  };
}

/**
 * Checks that the languages or the program are installed; starts nothing yet.
 * @throws Error with a sentence that names what to install, or the unknown language
 */
export function openLocalOcr(options: LocalOcrOptions): OcrEngine & { close(): Promise<void> } {
  const { clock, jobTimeoutSeconds, engine } = options;
  const langs = [...new Set(options.langs)];
  checkLanguageNames(langs);
  const size = options.size ?? Math.min(Math.max(availableParallelism(), 1), 8);
  const memoryLimitBytes = options.memoryLimitBytes ?? 2 ** 30;
  const searchPath = options.searchPath ?? process.env.PATH ?? "";
  const native = engine === "native" ? openNative({ langs, memoryLimitBytes, searchPath }) : undefined;
  if (native === undefined) for (const lang of langs) languageFile(lang);
  const module = options.module ?? new URL("./ocr-worker.ts", import.meta.url);
  if (native === undefined && options.module === undefined) module.search = `?langs=${langs.join(",")}`;
  const pool = lazyPool(options, module, size, memoryLimitBytes);
  const name = native === undefined ? "tesseract.js" : "tesseract";

  const sentences: Record<Exclude<KillReason, "outside">, string> = {
    memory: MEMORY_SENTENCE,
    deadline: timeoutSentence(jobTimeoutSeconds),
    crashed: JOB_SENTENCES.corrupted,
  };
  const work: RunTask = async (task, payload, limits, answer) => {
    const given = answer.safeParse(await pool.run(task, payload, limits));
    if (given.success) return given.data;
    throw new JobFailure(JOB_SENTENCES.corrupted, { cause: new Error(`Task ${task} answered in another shape`) });
  };
  const keepCheckboxes = langs.some((lang) => LANGUAGES_WITH_SQUARES.test(lang));
  const onSecondLookFault = (options.secondLook ?? true) ? once(options.onSecondLookFault) : undefined;
  const pages = { work, clock, keepCheckboxes, onSecondLookFault };
  const readPage =
    native === undefined ? embeddedPages(pages) : nativePages({ ...pages, native, turns: new Turns(size) });

  return {
    name,
    maxImageBytes: MAX_IMAGE_BYTES,
    maxSide: MAX_SIDE_PIXELS,
    parallel: size,
    warm: () => pool.warm(),
    async recognize(image, level, limits) {
      if (image.bytes.length > MAX_IMAGE_BYTES) throw new JobFailure(TOO_LARGE_SENTENCE);
      try {
        return { page: await readPage(image, level, limits), use: usageOf(name) };
      } catch (error) {
        if (!(error instanceof WorkerKilled)) throw error;
        const { reason } = error;
        if (reason !== "outside") throw new JobFailure(sentences[reason], { cause: error });
        throw new ServiceUnavailable("The text recognition was ended from outside; try again", { cause: error });
      }
    },
    async close() {
      native?.close();
      await pool.close();
    },
  };
}
