/** DocumentEngine on one machine: every task in a pooled process. */
import { availableParallelism } from "node:os";
import * as z from "zod";
import { ISSUE_KINDS } from "../../engine/analysis/issue.ts";
import type { DocumentTasks } from "../../engine/tasks/engine.ts";
import { engineMethods, type RunTask } from "../../engine/tasks/methods.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DocumentEngine } from "../../ports/engine.ts";
import { JOB_SENTENCES, JobFailure, timeoutSentence, UnprocessableEntity } from "../../ports/errors.ts";
import type { WorkLimits } from "../../ports/limits.ts";
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
  /** Whose turn a task takes. */
  groupOf?: () => string;
  onEvent?: (event: PoolEvent) => void;
}

const MEMORY_SENTENCE = "Processing failed: The document needs more memory than is allowed";

const bytes = z.instanceof(Uint8Array);
const count = z.int().nonnegative();

const frame = z.object({
  width: z.number().positive(),
  height: z.number().positive(),
  rotation: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]).exactOptional(),
});
const view = {
  pageNumber: count,
  frame,
  strip: z
    .object({ index: count, count, page: frame, left: z.number().nonnegative(), top: z.number().nonnegative() })
    .exactOptional(),
  barcodes: z
    .array(
      z.object({
        kind: z.literal("barcode"),
        box: z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }),
        lines: z.tuple([]),
        format: z.string(),
        value: z.string(),
        confidence: z.number().min(0).max(1),
      }),
    )
    .exactOptional(),
  ink: z
    .object({ across: count.positive(), down: count.positive(), side: z.number().positive(), cells: z.base64() })
    .exactOptional(),
};
const reading = z.object({
  layout: bytes,
  quality: bytes,
  facts: z.object({
    provider: z.string(),
    pageCount: count,
    wordCount: count,
    characterCount: count,
    quality: z.object({ score: z.number().min(0).max(1), category: z.string() }).exactOptional(),
  }),
  pending: z.array(count),
  spare: z.array(count).optional(),
});

const located = z.object({ found: count, unresolved: count, confidence: z.number().min(0).max(1).nullable() });

const faults = z.array(z.object({ pointer: z.string(), message: z.string() }));
const checked = { data: bytes, faults, faultCount: count, values: z.string() };

/** Pointers of items with the rows that they stand on. */
const places = z.array(z.tuple([z.string(), count]));

const rankedFigures = z.array(
  z.object({ id: z.string(), pageNumber: count, score: z.number(), reason: z.string(), text: z.string() }),
);
const corrected = {
  content: z.string(),
  pages: z.array(z.looseObject({ pageNumber: count, content: z.string() })),
};

/** What each task answers; a process that answers otherwise has not done its task. */
const ANSWERS = {
  read: reading,
  complete: reading,
  picture: z.object({ bytes, ...view }),
  picturesPdf: z.object({ pdf: bytes, views: z.array(z.object(view)) }),
  pageImage: bytes,
  extras: z.object({
    barcodes: bytes.exactOptional(),
    figures: z
      .object({ list: bytes, images: z.array(z.object({ id: z.string(), mimeType: z.string(), bytes })) })
      .exactOptional(),
    acroForm: bytes.exactOptional(),
  }),
  acroForm: bytes,
  cells: bytes,
  describe: bytes,
  locate: z.object({
    sources: bytes,
    facts: located,
  }),
  transcribe: bytes,
  extract: z.object({
    result: bytes,
    sources: bytes,
    facts: located,
    filled: z.array(z.tuple([z.string(), z.string()])).exactOptional(),
  }),
  // What these hold beside it came from the service itself, or from its model.
  planModel: z.looseObject({ mode: z.enum(["SIMPLE", "STEPS"]), batches: z.array(z.looseObject({})) }),
  halveModelBatch: z.array(z.looseObject({})),
  readModelAnswers: z.looseObject({ ...checked, unread: z.array(z.string()), doubts: z.array(z.looseObject({})) }),
  correctModelData: z.object(checked).optional(),
  concludeModelData: z.object({ data: bytes, faults, faultCount: count }),
  readModelPages: z.looseObject({ pages: z.array(z.looseObject({})), pageCount: count }),
  readModelSchema: z.union([z.object({ schema: z.json() }), z.object({ fault: z.string() })]),
  planChunks: z.looseObject({
    header: z.array(count).nullable(),
    chunks: z.array(z.looseObject({ pages: z.array(count) })),
    pages: z.array(z.looseObject({ pageNumber: count })),
    form: z.looseObject({ kind: z.enum(["general", "list"]) }),
  }),
  readChunkAnswer: z.object({ answer: bytes, records: count }),
  reduceChunks: z.object({ result: bytes, sources: bytes, faults, facts: located }),
  missingRows: z.object({
    lists: z.array(z.looseObject({ path: z.string() })),
    requests: z.array(z.looseObject({ id: z.string(), path: z.string() })),
    placed: places,
  }),
  addMissingRows: z.object({ data: bytes, removed: count, declined: z.array(count), placed: places, asked: places }),
  receipt: z.object({
    receipt: z.looseObject({ expected: count, returned: count, missing: z.array(z.looseObject({})) }).exactOptional(),
    short: z.boolean(),
    filled: z.object({ result: bytes, sources: bytes, facts: located }).exactOptional(),
  }),
  readParts: z.object({
    parts: z.array(z.array(z.object({ number: count, text: z.string(), scan: z.boolean() }))),
    pageCount: count,
  }),
  analyzeErrors: z.object({
    overall: z.number().nullable(),
    confidences: z.record(z.string(), z.number()),
    issues: z.array(
      z.object({
        pointer: z.string(),
        kind: z.enum(ISSUE_KINDS),
        issue: z.string(),
        confidence: z.number(),
        suggestion: z.string(),
        detail: z.string(),
      }),
    ),
    recognised: z.object({ words: count, poor: count }),
  }),
  rankFigures: z.object({ ranked: rankedFigures, all: rankedFigures }),
  pagesToCorrect: z.array(z.object({ number: count, text: z.string() })),
  correctPages: z.object({
    ...corrected,
    sourceMap: z.looseObject({ version: z.literal(1) }).exactOptional(),
  }),
  correctLayout: z.object({ ...corrected, layout: bytes }),
  computeNode: z.object({
    result: bytes,
    sources: bytes.exactOptional(),
    facts: z.record(z.string(), z.string().nullable()),
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
    ...(options.groupOf === undefined ? {} : { groupOf: options.groupOf }),
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  });

  const jobFailures: Record<KillReason, string> = {
    memory: MEMORY_SENTENCE,
    deadline: timeoutSentence(jobTimeoutSeconds),
    crashed: JOB_SENTENCES.corrupted,
  };

  async function work<Name extends keyof typeof ANSWERS>(
    task: Name,
    payload: Parameters<DocumentTasks[Name]>[0],
    limits: WorkLimits,
  ): Promise<z.output<(typeof ANSWERS)[Name]>> {
    try {
      const given = ANSWERS[task].safeParse(await pool.run(task, payload, { deadline: limits.deadline }));
      if (given.success) return given.data as z.output<(typeof ANSWERS)[Name]>;
      throw new JobFailure(JOB_SENTENCES.corrupted, { cause: new Error(`Task ${task} answered in another shape`) });
    } catch (error) {
      if (error instanceof WorkerKilled) throw new JobFailure(jobFailures[error.reason], { cause: error });
      throw error;
    }
  }

  return {
    ...engineMethods(work as RunTask),
    async inspect(bytes, mimeType, limits) {
      try {
        return await work("inspect", { bytes, mimeType }, limits);
      } catch (error) {
        if (!(error instanceof JobFailure)) throw error;
        throw notOpened(error.cause instanceof WorkerKilled ? error.cause.reason : "crashed");
      }
    },
    close: () => pool.close(),
  };
}
