/** The engine on one machine: every task runs in a pooled process. */
import { availableParallelism } from "node:os";
import type { Clock } from "../../ports/clock.ts";
import type { Engine, LossReason, Task } from "../../ports/engine.ts";
import { JOB_SENTENCES, JobFailure, timeoutSentence } from "../../ports/errors.ts";
import type { WorkLimits } from "../../ports/limits.ts";
import type { GroupPresence } from "./group-shares.ts";
import { createPool, type PoolEvent } from "./pool/pool.ts";
import { WorkerKilled } from "./pool/worker-killed.ts";

export interface EngineOptions {
  /** Module with the processes' tasks; another one only in tests. */
  module?: URL;
  /** The bundled process of that module (engine-process.ts). Without it, processes run from the sources. */
  bundled?: URL;
  /** Number of processes, besides the one for short tasks. Default: one per processor, 1 to 8. */
  size?: number;
  /** False: there is no process for short tasks, and the others take them too. Default true. */
  shortTaskProcess?: boolean;
  /** Resident memory limit of one process. Default 768 MiB. */
  memoryLimitBytes?: number;
  /** Tasks after which a process is replaced, however little memory it keeps. Default 20,000. */
  recycleAfter?: number;
  clock: Clock;
  /** The groups that are there; default: those whose tasks the processes have. */
  presence?: GroupPresence;
  /** The limit named in a job's timeout sentence. */
  jobTimeoutSeconds: number;
  onEvent?: (event: PoolEvent) => void;
}

/**
 * Tasks that an additional process takes, past long ones: a letter or an invoice, whose tasks take tens of milliseconds.
 */
const SHORT_TASK = { maxPayloadBytes: 256 * 1024, maxPages: 3 };

const MEMORY_SENTENCE = "Processing failed: The document needs more memory than is allowed";

/** The engine of one machine. */
export interface LocalEngine extends Engine {
  /** Resolves with true when a process has read its test document, and with false when none can be started. */
  ready(): Promise<boolean>;
  /** Why no document is taken now: no process can be started. Undefined while some can. */
  fault(): string | undefined;
}

/** Starts the processes and returns at once. Work waits until the first process is ready. */
export function openEngine(options: EngineOptions): LocalEngine {
  const { clock, jobTimeoutSeconds } = options;
  const pool = createPool({
    module: options.module ?? new URL("./engine-worker.ts", import.meta.url),
    ...(options.bundled === undefined ? {} : { bundled: options.bundled }),
    size: options.size ?? Math.min(Math.max(availableParallelism(), 1), 8),
    memoryLimitBytes: options.memoryLimitBytes ?? 768 * 2 ** 20,
    recycleAfter: options.recycleAfter ?? 20_000,
    ...(options.shortTaskProcess === false ? {} : { short: SHORT_TASK }),
    now: () => clock.now(),
    ...(options.presence === undefined ? {} : { presence: options.presence }),
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  });

  const sentences: Record<LossReason, string> = {
    memory: MEMORY_SENTENCE,
    deadline: timeoutSentence(jobTimeoutSeconds),
    crashed: JOB_SENTENCES.corrupted,
  };

  /** Maps a failed task to the error of its caller. */
  function failureOf<Input, Output>(task: Task<Input, Output>, error: unknown): unknown {
    const reason = error instanceof WorkerKilled && error.reason !== "outside" ? error.reason : "crashed";
    if (task.lost !== undefined && (error instanceof WorkerKilled || error instanceof JobFailure)) {
      return task.lost(reason);
    }
    return error instanceof WorkerKilled ? new JobFailure(sentences[reason], { cause: error }) : error;
  }

  return {
    async run<Input, Output>(task: Task<Input, Output>, payload: Input, limits: WorkLimits): Promise<Output> {
      try {
        const answer = task.output.safeParse(await pool.run(task.name, payload, limits));
        if (answer.success) return answer.data;
        const cause = new Error(`Task ${task.name} answered in another shape`);
        throw new JobFailure(JOB_SENTENCES.corrupted, { cause });
      } catch (error) {
        throw failureOf(task, error);
      }
    },
    ready: () => pool.ready(),
    fault: () => pool.fault(),
    close: () => pool.close(),
  };
}
