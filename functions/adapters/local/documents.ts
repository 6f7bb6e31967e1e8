/** DocumentEngine on one machine: every task in a pooled process. */
import { availableParallelism } from "node:os";
import * as z from "zod";
import type { ExtractTask, InspectTask, ReadTask, TranscribeTask } from "../../core/documents/engine.ts";
import { JOB_SENTENCES, JobFailure, timeoutSentence, UnprocessableEntity } from "../../core/errors.ts";
import type { Clock, DocumentEngine, WorkLimits } from "../../core/ports.ts";
import { createPool, type PoolEvent } from "./pool/pool.ts";
import { type KillReason, WorkerKilled } from "./pool/worker-killed.ts";

export interface DocumentEngineOptions {
  /** The processes' tasks; another module only in tests. */
  module?: URL;
  /** Processes kept. Default: one for each processor, 1 to 8. */
  size?: number;
  /** Resident memory that one process may take. Default 768 MiB. */
  memoryLimitBytes?: number;
  /** Tasks after which a process is replaced. Default 200. */
  recycleAfter?: number;
  clock: Clock;
  /** The limit that a job's timeout sentence names. */
  jobTimeoutSeconds: number;
  onEvent?: (event: PoolEvent) => void;
}

const MEMORY_SENTENCE = "Processing failed: The document needs more memory than is allowed";

const bytes = z.instanceof(Uint8Array);
const count = z.int().nonnegative();

/** What each task answers; a process that answers otherwise has not done its task. */
const ANSWERS = {
  read: z.object({
    layout: bytes,
    facts: z.object({ provider: z.string(), pageCount: count, wordCount: count, characterCount: count }),
  }),
  transcribe: bytes,
  extract: z.object({
    result: bytes,
    sources: bytes,
    facts: z.object({ found: count, unresolved: count, confidence: z.number().min(0).max(1).nullable() }),
  }),
  inspect: z.object({ pageCount: count.nullable() }),
};

const INSPECT_REASONS: Record<KillReason, string> = {
  memory: "it needs more memory than is allowed",
  deadline: "opening it takes too long",
  crashed: "it appears to be corrupted",
};

const notOpened = (reason: KillReason): UnprocessableEntity =>
  new UnprocessableEntity(`The document could not be opened: ${INSPECT_REASONS[reason]}`);

/** Starts the document processes; returns at once. Work waits until the first process is ready. */
export function openDocumentEngine(options: DocumentEngineOptions): DocumentEngine {
  const { clock, jobTimeoutSeconds } = options;
  const pool = createPool({
    module: options.module ?? new URL("./documents-worker.ts", import.meta.url),
    size: options.size ?? Math.min(Math.max(availableParallelism(), 1), 8),
    memoryLimitBytes: options.memoryLimitBytes ?? 768 * 2 ** 20,
    recycleAfter: options.recycleAfter ?? 200,
    now: () => clock.now(),
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  });

  const jobFailures: Record<KillReason, string> = {
    memory: MEMORY_SENTENCE,
    deadline: timeoutSentence(jobTimeoutSeconds),
    crashed: JOB_SENTENCES.corrupted,
  };

  async function work<T>(task: string, payload: unknown, limits: WorkLimits, answer: z.ZodType<T>): Promise<T> {
    try {
      const given = answer.safeParse(await pool.run(task, payload, { deadline: limits.deadline }));
      if (given.success) return given.data;
      throw new JobFailure(JOB_SENTENCES.corrupted, { cause: new Error(`Task ${task} answered in another shape`) });
    } catch (error) {
      if (error instanceof WorkerKilled) throw new JobFailure(jobFailures[error.reason], { cause: error });
      throw error;
    }
  }

  return {
    read: (bytes, options, limits) => work("read", { bytes, options } satisfies ReadTask, limits, ANSWERS.read),
    transcribe: (layout, format, limits) =>
      work("transcribe", { layout, format } satisfies TranscribeTask, limits, ANSWERS.transcribe),
    extract: (layout, request, limits) =>
      work("extract", { layout, request } satisfies ExtractTask, limits, ANSWERS.extract),
    async inspect(bytes, mimeType, limits) {
      try {
        return await work("inspect", { bytes, mimeType } satisfies InspectTask, limits, ANSWERS.inspect);
      } catch (error) {
        if (!(error instanceof JobFailure)) throw error;
        throw notOpened(error.cause instanceof WorkerKilled ? error.cause.reason : "crashed");
      }
    },
    close: () => pool.close(),
  };
}
