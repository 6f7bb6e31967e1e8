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
import { GroupPresence, GroupShares } from "../group-shares.ts";
import type { Pool, PoolEvent, PoolOptions } from "./pool-options.ts";
import { PooledProcess, type ProcessEnd } from "./pooled-process.ts";
import { renewalOf } from "./renewal.ts";
import { isShortTask } from "./short-task.ts";
import { type TaskLimits, tooLate, type WaitingTask } from "./waiting-task.ts";
import { WorkerKilled } from "./worker-killed.ts";

export type { Pool, PoolEvent, PoolOptions };

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 10_000;
const MAX_TIMER_MS = 2_147_483_647;
/** Failed starts in a row that, with no process at work, tell callers that none can be started. */
const MAX_FAILED_STARTS = 2;

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
  readonly #ready = Promise.withResolvers<boolean>();
  /** Processes that were never started: true for one that takes short tasks only. */
  readonly #unstarted: boolean[];
  readonly #idleWaiters: (() => void)[] = [];
  #closing: PromiseWithResolvers<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const presence = options.presence ?? new GroupPresence(this.#now);
    // One processor fewer beside another group.
    this.#shares = new GroupShares({ alone: options.size, beside: Math.max(1, options.size - 1) }, presence);
    const others = Array.from({ length: options.size - 1 }, () => false);
    this.#unstarted = [false, ...(options.short === undefined ? [] : [true]), ...others];
    this.#startNext();
  }

  ready(): Promise<boolean> {
    return this.#ready.promise;
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

  fault(): string | undefined {
    return this.#cannotStart() ? unavailable().message : undefined;
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
      this.#ready.resolve(false);
      for (const timer of this.#restarts) clearTimeout(timer);
      this.#restarts.clear();
      for (const process of this.#processes) process.kill("closed");
      this.#tellIdle();
      if (this.#processes.size === 0) this.#closing.resolve();
    }
    return this.#closing.promise;
  }

  #start(onlyShort: boolean): void {
    const { memoryLimitBytes, startTimeoutMs = 30_000 } = this.#options;
    const started = new PooledProcess({
      code: this.#options,
      memoryLimitBytes,
      startTimeoutMs,
      onlyShort,
      onReady: (process) => {
        this.#emit({ kind: "start" }, process);
        this.#ready.resolve(true);
        this.#startNext();
        this.#relieve(process);
        this.#advance();
      },
      onEnd: (process, end) => this.#ended(process, end),
    });
    this.#processes.add(started);
  }

  /** Starts the processes one after the other: at once, the first would be ready later, and its first task slower. */
  #startNext(): void {
    const onlyShort = this.#unstarted.shift();
    if (onlyShort !== undefined) this.#start(onlyShort);
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

  /** Replaces an idle process that keeps much memory or has done its share. */
  #replaceInTime(process: PooledProcess): void {
    const renewal = renewalOf(process, this.#options);
    if (renewal === "end") process.kill("recycled");
    else if (renewal === "succeed" && !this.#retiring.has(process)) {
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
    if (this.#cannotStart()) {
      this.#ready.resolve(false);
      this.#rejectWaiting(unavailable);
    }
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
    if (this.#failedStarts < MAX_FAILED_STARTS) return false;
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
