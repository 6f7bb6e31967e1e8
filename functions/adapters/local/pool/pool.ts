/**
 * A pool of preloaded processes. Groups of tasks take turns; the tasks of one group run in order of arrival. One process
 * more than `size` takes only short tasks, and a group has at most `size` tasks at work, and one fewer beside another
 * group, so that one group never holds all processes, nor all processors. Each task runs alone in a process that is
 * watched from outside, and a process that dies is replaced. Tasks must be repeatable: a task lost with a process that
 * had served others runs once more in a new one, so that the remains of an earlier task never decide about a later one,
 * and a task whose process was killed from outside runs again until its deadline.
 */
import { ServiceUnavailable } from "../../../ports/errors.ts";
import { FairQueue } from "../fair-queue.ts";
import { GroupShares } from "./group-shares.ts";
import { PooledProcess, type ProcessEnd } from "./pooled-process.ts";
import { isShortTask, type ShortTask } from "./short-task.ts";
import { type TaskLimits, tooLate, type WaitingTask } from "./waiting-task.ts";
import { WorkerKilled } from "./worker-killed.ts";

export interface PoolEvent {
  /** `exit`: by itself; `killed`: by the service; `recycled`: replaced after its share of work. */
  kind: "start" | "exit" | "killed" | "recycled";
  reason?: string;
  pid?: number;
  /** Highest resident memory seen, in bytes; set when a process ends. */
  peakBytes?: number;
}

export interface PoolOptions {
  /** Module that exports `tasks`: name → function of one payload. Loaded before a process takes its first task. */
  module: URL;
  /** Number of processes, and the most tasks of one group at work. */
  size: number;
  /** Adds one process, for tasks within these sizes only. */
  short?: ShortTask;
  /** Resident memory limit of one process in bytes, its runtime (about 60 MB) included. */
  memoryLimitBytes: number;
  /** Tasks after which a process is replaced; it serves until its successor is ready. */
  recycleAfter: number;
  /** Time limit for a process to become ready, in milliseconds; default 30,000. */
  startTimeoutMs?: number;
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
  /** Resolves when no task runs or waits and no process starts. */
  idle(): Promise<void>;
  /** Rejects waiting and running tasks, ends every process, and resolves when they are gone. */
  close(): Promise<void>;
}

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 10_000;
const MAX_TIMER_MS = 2_147_483_647;
/**
 * Share of the memory limit: a process that holds more after its task is replaced, so that the next task has its full
 * limit.
 */
const MAX_IDLE_MEMORY_SHARE = 0.5;
/** Short tasks that wear a process like one other task: a start costs as much as a few hundred of them. */
const SHORT_TASKS_PER_TASK = 10;

class ProcessPool implements Pool {
  readonly #options: PoolOptions;
  readonly #now: () => number;
  readonly #processes = new Set<PooledProcess>();
  readonly #waiting = new FairQueue<WaitingTask>();
  readonly #shares: GroupShares;
  /** Processes that have done their share, until their successors are ready. */
  readonly #retiring = new Set<PooledProcess>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  #failedStarts = 0;
  readonly #idleWaiters: (() => void)[] = [];
  #closing: PromiseWithResolvers<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#shares = new GroupShares(options.size, this.#now);
    if (options.short !== undefined) this.#start(true);
    for (let index = 0; index < options.size; index += 1) this.#start(false);
  }

  run(task: string, payload: unknown, limits: TaskLimits): Promise<unknown> {
    if (this.#closing !== undefined) return Promise.reject(closed());
    if (this.#cannotStart()) return Promise.reject(unavailable());
    const answer = Promise.withResolvers<unknown>();
    const { short } = this.#options;
    const isShort = short !== undefined && isShortTask(short, payload, limits.pages);
    const startBy = limits.deadline - (limits.workMs ?? 0);
    const { group = "" } = limits;
    this.#shares.seen(group);
    this.#enqueue({ group, task, payload, limits, answer, startBy, isShort, needsFresh: false }, "last");
    this.#advance();
    return answer.promise;
  }

  idle(): Promise<void> {
    const waiter = Promise.withResolvers<void>();
    this.#idleWaiters.push(waiter.resolve);
    this.#tellIdle();
    return waiter.promise;
  }

  close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#closing = Promise.withResolvers<void>();
      this.#rejectWaiting(closed);
      for (const timer of this.#restarts) clearTimeout(timer);
      this.#restarts.clear();
      for (const process of this.#processes) process.kill("closed");
      this.#tellIdle();
      if (this.#processes.size === 0) this.#closing.resolve();
    }
    return this.#closing.promise;
  }

  #start(onlyShort: boolean): void {
    const { module, memoryLimitBytes, startTimeoutMs = 30_000 } = this.#options;
    const started = new PooledProcess({
      module,
      memoryLimitBytes,
      startTimeoutMs,
      onlyShort,
      onReady: (process) => {
        this.#emit({ kind: "start" }, process);
        this.#relieve(process);
        this.#advance();
      },
      onEnd: (process, end) => this.#ended(process, end),
    });
    this.#processes.add(started);
  }

  #enqueue(waiting: WaitingTask, place: "first" | "last"): void {
    const timeLeft = waiting.startBy - this.#now();
    if (timeLeft <= 0) {
      waiting.answer.reject(tooLate(waiting));
      return;
    }
    waiting.timer = setTimeout(() => this.#expire(waiting), Math.min(timeLeft, MAX_TIMER_MS));
    this.#waiting.add(waiting.group, waiting, place);
  }

  #expire(waiting: WaitingTask): void {
    this.#waiting.remove(waiting);
    waiting.answer.reject(tooLate(waiting));
    this.#tellIdle();
  }

  /** Gives waiting tasks to idle processes; to the one for short tasks first, which leaves the others to long tasks. */
  #advance(): void {
    const mayWork = (group: string): boolean => this.#shares.mayWork(group);
    for (const process of [...this.#processes].sort((a, b) => Number(b.onlyShort) - Number(a.onlyShort))) {
      if (process.state !== "idle") continue;
      const next = this.#waiting.take({
        group: mayWork,
        item: ({ needsFresh, isShort }) => (!needsFresh || process.served === 0) && (isShort || !process.onlyShort),
      });
      if (next === undefined) continue;
      clearTimeout(next.timer);
      void this.#serve(process, next);
    }
    this.#tellIdle();
  }

  async #serve(process: PooledProcess, waiting: WaitingTask): Promise<void> {
    const { group, task, payload, limits, answer } = waiting;
    const limit = this.#options.memoryLimitBytes;
    const memoryLimitBytes = Math.min(limits.memoryLimitBytes ?? limit, limit);
    this.#shares.began(group);
    try {
      const timeLeft = Math.min(limits.workMs ?? Number.POSITIVE_INFINITY, limits.deadline - this.#now());
      answer.resolve(await process.run({ task, payload, timeLeft, memoryLimitBytes }));
    } catch (error) {
      const isLost = error instanceof WorkerKilled;
      if (isLost && this.#closing !== undefined) answer.reject(closed());
      else if (isLost && error.reason === "outside") {
        this.#enqueue({ ...waiting, startBy: limits.deadline }, "first");
      } else if (isLost && error.reason !== "deadline" && process.served > 0) {
        this.#enqueue({ ...waiting, startBy: limits.deadline, needsFresh: true }, "first");
      } else answer.reject(error);
    }
    this.#shares.ended(group);
    if (process.state === "idle" && process.isRelieved) process.kill("recycled");
    else if (process.state === "idle") this.#replaceInTime(process);
    if (process.served > 0) this.#failedStarts = 0;
    this.#advance();
  }

  /** Replaces an idle process that keeps much memory, at once, or that has done its share, when another is ready. */
  #replaceInTime(process: PooledProcess): void {
    const { memoryLimitBytes, recycleAfter } = this.#options;
    const share = process.onlyShort ? recycleAfter * SHORT_TASKS_PER_TASK : recycleAfter;
    if ((process.residentBytes ?? 0) > memoryLimitBytes * MAX_IDLE_MEMORY_SHARE) process.kill("recycled");
    else if (process.served >= share && !this.#retiring.has(process)) {
      this.#retiring.add(process);
      this.#start(process.onlyShort);
    }
  }

  /** Lets a process that has done its share end, now that there is another of its kind. */
  #relieve({ onlyShort }: PooledProcess): void {
    const relieved = this.#retiring.values().find((process) => process.onlyShort === onlyShort && !process.isRelieved);
    if (relieved === undefined) return;
    relieved.isRelieved = true;
    if (relieved.state === "idle") relieved.kill("recycled");
  }

  #ended(process: PooledProcess, end: ProcessEnd): void {
    this.#processes.delete(process);
    const kind = end.reason === "recycled" ? "recycled" : end.killed ? "killed" : "exit";
    const reason = end.detail === "" ? end.reason : `${end.reason}: ${end.detail}`;
    this.#emit({ kind, reason, peakBytes: process.peakBytes }, process);
    if (this.#closing !== undefined) {
      if (this.#processes.size === 0) this.#closing.resolve();
      return;
    }
    // Its successor was started before.
    if (this.#retiring.delete(process)) {
      this.#tellIdle();
      return;
    }
    this.#failedStarts = end.futile ? this.#failedStarts + 1 : 0;
    const delay = Math.min(FIRST_BACKOFF_MS * 2 ** (this.#failedStarts - 1), MAX_BACKOFF_MS);
    if (end.futile) this.#startLater(process.onlyShort, delay);
    else this.#start(process.onlyShort);
    if (this.#cannotStart()) this.#rejectWaiting(unavailable);
    this.#tellIdle();
  }

  #startLater(onlyShort: boolean, delay: number): void {
    const timer = setTimeout(() => {
      this.#restarts.delete(timer);
      this.#start(onlyShort);
    }, delay);
    timer.unref(); // a waiting task keeps the service alive by its deadline
    this.#restarts.add(timer);
  }

  /** True when every start failed and nothing runs; starts are retried in the background. */
  #cannotStart(): boolean {
    if (this.#failedStarts < Math.max(2, this.#options.size)) return false;
    return ![...this.#processes].some(({ state }) => state === "idle" || state === "busy");
  }

  #rejectWaiting(error: () => Error): void {
    for (const { answer, timer } of this.#waiting.clear()) {
      clearTimeout(timer);
      answer.reject(error());
    }
  }

  #tellIdle(): void {
    if (this.#waiting.size > 0) return;
    const isWorking = this.#closing === undefined && [...this.#processes].some(({ state }) => state !== "idle");
    if (isWorking) return;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }

  #emit(event: PoolEvent, { pid }: PooledProcess): void {
    this.#options.onEvent?.(pid === undefined ? event : { ...event, pid });
  }
}

const closed = (): Error => new ServiceUnavailable("The service is stopping; try again when it is back");

const unavailable = (): Error =>
  new ServiceUnavailable("Documents cannot be processed now: the document process does not start", { retryAfter: 10 });

/**
 * Starts the processes and returns at once; tasks wait until the first is ready. @throws RangeError for invalid options
 */
export function createPool(options: PoolOptions): Pool {
  for (const name of ["size", "memoryLimitBytes", "recycleAfter"] as const) {
    const value = options[name];
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`A pool's ${name} is from 1, not ${value}`);
  }
  return new ProcessPool(options);
}
