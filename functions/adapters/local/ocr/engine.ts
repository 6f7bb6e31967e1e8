/** OcrEngine of one machine: pictures in parallel over processes of its own, which start with the first picture. */
import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import type * as z from "zod";
import type { Clock } from "../../../ports/clock.ts";
import { JOB_SENTENCES, JobFailure, ServiceUnavailable, timeoutSentence } from "../../../ports/errors.ts";
import type { WorkLimits } from "../../../ports/limits.ts";
import type { OcrEngine, OcrImage, OcrLevel, OcrPage } from "../../../ports/ocr.ts";
import { createPool, type Pool, type PoolEvent } from "../pool/pool.ts";
import { type KillReason, WorkerKilled } from "../pool/worker-killed.ts";
import * as answers from "./answers.ts";
import { checkNames, dataFile } from "./languages.ts";
import { type Native, openNative } from "./native.ts";
import type { PrepareTask, RecognizeTask } from "./ocr-worker.ts";
import { toOcrPage } from "./page.ts";
import { readPicture } from "./reading.ts";
import { Turns } from "./turns.ts";

export interface LocalOcrOptions {
  clock: Clock;
  /** The limit that a job's timeout sentence names. */
  jobTimeoutSeconds: number;
  /** Tesseract's names of languages: `eng`, `deu`. The first counts most. */
  langs: readonly string[];
  /** `embedded`: in WebAssembly, from npm packages alone. `native`: the program `tesseract` of this machine. */
  engine: "embedded" | "native";
  /** The processes' tasks; another module only in tests. */
  module?: URL;
  /** Pictures recognised at once. Default: one for each processor, 1 to 8. */
  size?: number;
  /** Resident memory that one process may take. Default 1 GiB. */
  memoryLimitBytes?: number;
  /** Folders in which the native program is looked for. Default: the PATH. */
  searchPath?: string;
  /** Whose turn a page takes. */
  groupOf?: () => string;
  onEvent?: (event: PoolEvent) => void;
}

/** The pool's protocol copies a picture; none of a page is larger. */
const MAX_IMAGE_BYTES = 64 * 2 ** 20;
/** Pixels; tesseract itself takes 32,767. */
const MAX_SIDE = 20_000;
/** Pictures after which a process is replaced. */
const RECYCLE_AFTER = 100;
/** Milliseconds to load the engine and its languages, also on a machine that is busy. */
const START_TIMEOUT = 60_000;
const MEMORY_SENTENCE = "Processing failed: The document needs more memory than is allowed";
const TOO_LARGE = "Processing failed: Document is too large for text recognition";

/** The program takes a fifth of a second to start and look around: only a lost table or column is worth that. */
const WORTH = 0.25;
/** A look along rows, which leaves out less: so much of a page's letters is worth it, and a column of figures always. */
const WORTH_BESIDE = 0.03;

/** Scripts in which a square is a letter. */
const SQUARE_LETTERS = /^(?:chi|jpn|kor|heb|yid)/;

type Work = <T>(task: string, payload: unknown, limits: WorkLimits, answer: z.ZodType<T>) => Promise<T>;

const use = (name: string): { provider: string; operation: string; features: string[]; pages: number } => ({
  provider: name,
  operation: "recognize",
  features: [],
  pages: 1,
});

/** Preparation in a process, recognition by the program, a page at a time for each of `size`. */
function nativePages(native: Native, work: Work, turns: Turns, clock: Clock, keepBoxes: boolean) {
  return ({ bytes, frame, pageNumber }: OcrImage, level: OcrLevel, limits: WorkLimits): Promise<OcrPage> =>
    turns.take(async () => {
      const deadline = performance.now() + limits.deadline - clock.now();
      let look = 0;
      const reading = await readPicture(
        {
          worth: WORTH,
          worthBeside: WORTH_BESIDE,
          hasTime: (looks) => deadline - performance.now() > 1.5 * looks * look,
          prepare: (preparation, mostDpi) =>
            work("prepare", { bytes, frame, preparation, mostDpi } satisfies PrepareTask, limits, answers.prepared),
          async recognize(gray, dpi, mode) {
            const before = performance.now();
            const words = await native.recognize(gray, dpi, mode, deadline);
            look = Math.max(look, performance.now() - before);
            return words;
          },
        },
        level,
        keepBoxes,
      );
      return toOcrPage(reading, frame, pageNumber);
    });
}

/** Starts with the first task, so that a service that recognises nothing has no processes for it. */
function lazyPool(options: LocalOcrOptions, module: URL, size: number, memoryLimitBytes: number) {
  let pool: Pool | undefined;
  let closed = false;
  return {
    run(task: string, payload: unknown, limits: WorkLimits): Promise<unknown> {
      if (closed) throw new ServiceUnavailable("The service is stopping; try again when it is back");
      pool ??= createPool({
        module,
        size,
        memoryLimitBytes,
        recycleAfter: RECYCLE_AFTER,
        startTimeoutMs: START_TIMEOUT,
        now: () => options.clock.now(),
        ...(options.groupOf === undefined ? {} : { groupOf: options.groupOf }),
        ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
      });
      return pool.run(task, payload, { deadline: limits.deadline });
    },
    async close(): Promise<void> {
      closed = true;
      await pool?.close();
    },
  };
}

/**
 * Looks for languages or the program; starts nothing yet.
 * @throws Error with a sentence that names what to install, or the language that there is not
 */
export function openLocalOcr(options: LocalOcrOptions): OcrEngine & { close(): Promise<void> } {
  const { clock, jobTimeoutSeconds, engine } = options;
  const langs = [...new Set(options.langs)];
  checkNames(langs);
  const size = options.size ?? Math.min(Math.max(availableParallelism(), 1), 8);
  const memoryLimitBytes = options.memoryLimitBytes ?? 2 ** 30;
  const searchPath = options.searchPath ?? process.env.PATH ?? "";
  const native = engine === "native" ? openNative({ langs, memoryLimitBytes, searchPath }) : undefined;
  if (native === undefined) for (const lang of langs) dataFile(lang);
  const query = native === undefined ? `?langs=${langs.join(",")}` : "";
  const module = options.module ?? new URL(`./ocr-worker.ts${query}`, import.meta.url);
  const pool = lazyPool(options, module, size, memoryLimitBytes);
  const name = native === undefined ? "tesseract.js" : "tesseract";

  const sentences: Record<KillReason, string> = {
    memory: MEMORY_SENTENCE,
    deadline: timeoutSentence(jobTimeoutSeconds),
    crashed: JOB_SENTENCES.corrupted,
  };
  const work: Work = async (task, payload, limits, answer) => {
    const given = answer.safeParse(await pool.run(task, payload, limits));
    if (given.success) return given.data;
    throw new JobFailure(JOB_SENTENCES.corrupted, { cause: new Error(`Task ${task} answered in another shape`) });
  };
  const keepBoxes = langs.some((lang) => SQUARE_LETTERS.test(lang));
  const embeddedPage = (image: OcrImage, level: OcrLevel, limits: WorkLimits): Promise<OcrPage> => {
    const timeLeft = limits.deadline - clock.now();
    return work("recognize", { ...image, level, keepBoxes, timeLeft } satisfies RecognizeTask, limits, answers.ocrPage);
  };
  const readPage =
    native === undefined ? embeddedPage : nativePages(native, work, new Turns(size, options.groupOf), clock, keepBoxes);

  return {
    name,
    maxImageBytes: MAX_IMAGE_BYTES,
    maxSide: MAX_SIDE,
    parallel: size,
    async recognize(image, level, limits) {
      if (image.bytes.length > MAX_IMAGE_BYTES) throw new JobFailure(TOO_LARGE);
      try {
        return { page: await readPage(image, level, limits), use: use(name) };
      } catch (error) {
        if (error instanceof WorkerKilled) throw new JobFailure(sentences[error.reason], { cause: error });
        throw error;
      }
    },
    async close() {
      native?.close();
      await pool.close();
    },
  };
}
