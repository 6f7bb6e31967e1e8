/** A task that waits for a process of the pool. */
import { ServiceUnavailable } from "../../../ports/errors.ts";
import type { WorkLimits } from "../../../ports/limits.ts";
import { WorkerKilled } from "./worker-killed.ts";

export interface TaskLimits extends WorkLimits {
  /** Limit for this task, in bytes, below the pool's. */
  memoryLimitBytes?: number;
}

export interface WaitingTask {
  group: string;
  task: string;
  payload: unknown;
  limits: TaskLimits;
  answer: PromiseWithResolvers<unknown>;
  /** Latest start, milliseconds since 1970. */
  startBy: number;
  isShort: boolean;
  /** Lost with a process that had served others: only a new process shows whether this task is the cause. */
  needsFresh: boolean;
  timer?: NodeJS.Timeout;
}

/** Seconds after which a caller whose task waited too long may try again: some tasks have ended by then. */
const BUSY_RETRY_SECONDS = 5;

/** The error of a task that waited until its latest start: the deadline's, or the service's when there is time left. */
export const tooLate = ({ startBy, limits }: WaitingTask): Error =>
  startBy >= limits.deadline
    ? new WorkerKilled("deadline")
    : new ServiceUnavailable(`All document processes are busy; try again in ${BUSY_RETRY_SECONDS} s`, {
        retryAfter: BUSY_RETRY_SECONDS,
      });
