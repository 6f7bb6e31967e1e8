/** Options, events and calls of a pool of processes. */
import type { GroupPresence } from "../group-shares.ts";
import type { ShortTask } from "./short-task.ts";
import type { ProcessCode } from "./spawn.ts";
import type { TaskLimits } from "./waiting-task.ts";

export interface PoolEvent {
  /** `exit`: by itself; `killed`: by the service; `recycled`: replaced after its share of work. */
  kind: "start" | "exit" | "killed" | "recycled";
  reason?: string;
  pid?: number;
  /** Highest resident memory seen, in bytes; set when a process ends. */
  peakBytes?: number;
}

export interface PoolOptions extends ProcessCode {
  /** Number of processes, and the most tasks of one group at work. */
  size: number;
  /** Adds one process, for tasks within these sizes only. */
  short?: ShortTask;
  /** Resident memory limit of one process in bytes, its runtime (about 60 MB) included. */
  memoryLimitBytes: number;
  /**
   * Tasks after which a process is replaced, however little memory it keeps; it serves until its successor is ready.
   */
  recycleAfter: number;
  /** Time limit for a process to become ready, in milliseconds; default 30,000. */
  startTimeoutMs?: number;
  /** The groups that are there; default: those whose tasks the pool has. */
  presence?: GroupPresence;
  /** Current time in milliseconds since 1970, for comparison with deadlines. Default: the machine's clock. */
  now?: () => number;
  onEvent?: (event: PoolEvent) => void;
}

export interface Pool {
  /**
   * Queues and runs a task. Payload and answer are copied (structured clone; bytes stay bytes).
   * @throws WorkerKilled · the AppError that the task threw · JobFailure for any other error in it ·
   *   ServiceUnavailable when the task waited too long, no process can be started, or the pool closes
   */
  run(task: string, payload: unknown, limits: TaskLimits): Promise<unknown>;
  /** True when a process for all tasks is ready, false when none can be started or the pool closes. */
  ready(): Promise<boolean>;
  /** Why no task is taken now: no process can be started. Undefined while some can. */
  fault(): string | undefined;
  /** Resolves when no task runs or waits and no process starts. */
  idle(): Promise<void>;
  /** Rejects waiting and running tasks, ends every process, and resolves when they are gone. */
  close(): Promise<void>;
}
