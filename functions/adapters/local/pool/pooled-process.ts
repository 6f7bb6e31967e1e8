/**
 * One preloaded process of the pool: started, given one task at a time, watched while it works, killed when necessary.
 */
import type { ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import { errorFromData, parseWorkerMessage, type WorkerMessage } from "./protocol.ts";
import { type MemoryProbe, openMemoryProbe } from "./resident-memory.ts";
import { type ProcessCode, spawnProcess, yieldProcessors } from "./spawn.ts";
import { type KillReason, MEMORY_MARK, WorkerKilled } from "./worker-killed.ts";

/** Milliseconds between two memory samples of a working process. */
const WATCH_INTERVAL_MS = 25;
/** Milliseconds that a process may live without its IPC channel. */
const DISCONNECTED_GRACE_MS = 500;
const MAX_STDERR_CHARACTERS = 4_096;
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Share of the memory limit below which the system's out-of-memory killer hits a process by chance, not for its document.
 */
const INNOCENT_MEMORY_SHARE = 0.5;

/** `recycled` and `closed`: the pool's decision; `start`: the process never became ready. */
export type EndReason = KillReason | "recycled" | "closed" | "start";

export interface ProcessEnd {
  reason: EndReason;
  /** True when the service ended it. */
  killed: boolean;
  /** The process never became ready, or died by itself before its first task: a replacement would probably die too. */
  futile: boolean;
  /** Its stderr output, only when it never became ready: later output may quote a document. */
  detail: string;
}

export interface ProcessOptions {
  code: ProcessCode;
  memoryLimitBytes: number;
  startTimeoutMs: number;
  /** The pool gives it short tasks only. */
  onlyShort: boolean;
  onReady(process: PooledProcess): void;
  /** Called when the process is gone (its pid may be reused). */
  onEnd(process: PooledProcess, end: ProcessEnd): void;
}

export interface ProcessTask {
  task: string;
  payload: unknown;
  /** Milliseconds from now. */
  timeLeft: number;
  memoryLimitBytes: number;
}

interface RunningTask {
  id: number;
  memoryLimitBytes: number;
  answer: PromiseWithResolvers<unknown>;
  timers: NodeJS.Timeout[];
}

export class PooledProcess {
  readonly pid: number | undefined;
  readonly onlyShort: boolean;
  /** Number of answered tasks, failures included. */
  served = 0;
  /** Its successor is ready: it ends with its task. */
  isRelieved = false;
  /** Highest resident memory seen during its tasks, in bytes. */
  peakBytes = 0;
  #state: "starting" | "idle" | "busy" | "ending" | "ended" = "starting";
  #reason: EndReason | undefined;
  #running: RunningTask | undefined;
  #stderr = "";
  #wasReady = false;
  #wasUsed = false;
  readonly #child: ChildProcess;
  readonly #probe: MemoryProbe;
  readonly #options: ProcessOptions;
  readonly #startTimer: NodeJS.Timeout;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.onlyShort = options.onlyShort;
    this.#child = spawnProcess(options.code, options.memoryLimitBytes);
    this.pid = this.#child.pid;
    if (!options.onlyShort) yieldProcessors(this.pid);
    this.#probe = openMemoryProbe(this.pid ?? 0);
    this.#startTimer = setTimeout(() => this.kill("start"), options.startTimeoutMs);
    this.#child.on("message", (message) => this.#receive(parseWorkerMessage(message)));
    this.#child.on("error", () => {
      // A process that could not be spawned has no other event; otherwise "close" follows.
      if (this.pid === undefined) this.#end(null);
    });
    // Normally it is about to end; one that only closed its channel would run on unheard.
    this.#child.on("disconnect", () => setTimeout(() => this.kill("crashed"), DISCONNECTED_GRACE_MS).unref());
    this.#child.on("close", (_code, signal) => this.#end(signal));
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-MAX_STDERR_CHARACTERS);
    });
  }

  get state(): "starting" | "idle" | "busy" | "ending" | "ended" {
    return this.#state;
  }

  /** Resident bytes now, where the system reports them. */
  get residentBytes(): number | undefined {
    return this.#probe.sample();
  }

  /**
   * Runs one task on an idle process. @throws WorkerKilled; the task's own AppError; Error for a payload that cannot be
   * copied
   */
  run({ task, payload, timeLeft, memoryLimitBytes }: ProcessTask): Promise<unknown> {
    const id = this.served + 1;
    this.#child.send({ id, task, payload }, () => undefined); // a lost process reports by "close"
    const answer = Promise.withResolvers<unknown>();
    const watch = setInterval(() => this.#watch(), WATCH_INTERVAL_MS);
    const deadline = setTimeout(() => this.kill("deadline"), Math.min(Math.max(timeLeft, 0), MAX_TIMER_MS));
    this.#state = "busy";
    this.#wasUsed = true;
    this.#running = { id, memoryLimitBytes, answer, timers: [watch, deadline] };
    return answer.promise;
  }

  /** Ends the process at once; its task is rejected now, `onEnd` follows when the process is gone. */
  kill(reason: EndReason): void {
    if (this.#state === "ending" || this.#state === "ended") return;
    this.#state = "ending";
    this.#reason = reason;
    this.#keepServiceAlive(true);
    this.#child.kill("SIGKILL");
    this.#settle()?.answer.reject(new WorkerKilled(reason === "memory" || reason === "deadline" ? reason : "crashed"));
  }

  #watch(): void {
    const resident = this.#probe.sample() ?? 0;
    this.peakBytes = Math.max(this.peakBytes, resident);
    if (this.#running !== undefined && resident > this.#running.memoryLimitBytes) this.kill("memory");
  }

  #receive(message: WorkerMessage | undefined): void {
    if (this.#state === "starting" && message?.type === "ready") this.#becomeReady();
    else if (message === undefined || message.type === "ready" || message.id !== this.#running?.id) {
      this.kill("crashed"); // no worker sends this: the process is compromised
    } else if (message.type === "answer") this.#release()?.answer.resolve(message.value);
    else if (message.error.type === "memory") this.kill("memory");
    else this.#release()?.answer.reject(errorFromData(message.error));
  }

  /** Ends the current task and frees the process. */
  #release(): RunningTask | undefined {
    this.served += 1;
    this.#state = "idle";
    return this.#settle();
  }

  #becomeReady(): void {
    clearTimeout(this.#startTimer);
    this.#wasReady = true;
    this.#stderr = "";
    this.#state = "idle";
    this.#keepServiceAlive(false); // a working process does, by its timers
    this.#options.onReady(this);
  }

  #end(signal: NodeJS.Signals | null): void {
    if (this.#state === "ended") return;
    const killed = this.#reason !== undefined;
    this.#state = "ended";
    this.#reason ??= this.#wasReady ? this.#ownReason(signal) : "start";
    clearTimeout(this.#startTimer);
    this.#probe.close();
    const reason = this.#reason === "memory" || this.#reason === "outside" ? this.#reason : "crashed";
    this.#settle()?.answer.reject(new WorkerKilled(reason));
    this.#options.onEnd(this, {
      reason: this.#reason,
      killed,
      futile: !this.#wasReady || (!killed && !this.#wasUsed),
      detail: this.#wasReady ? "" : this.#stderr.trim(),
    });
  }

  /** A SIGKILL that neither the service nor the watchdog sent comes from the system or from an operator. */
  #ownReason(signal: NodeJS.Signals | null): KillReason {
    if (this.#stderr.includes(MEMORY_MARK) || this.#stderr.includes("JavaScript heap out of memory")) return "memory";
    if (signal !== "SIGKILL") return "crashed";
    return this.peakBytes > this.#options.memoryLimitBytes * INNOCENT_MEMORY_SHARE ? "memory" : "outside";
  }

  #settle(): RunningTask | undefined {
    const running = this.#running;
    this.#running = undefined;
    for (const timer of running?.timers ?? []) clearTimeout(timer);
    return running;
  }

  #keepServiceAlive(on: boolean): void {
    const how = on ? "ref" : "unref";
    this.#child[how]();
    this.#child.channel?.[how]();
    if (this.#child.stderr instanceof Socket) this.#child.stderr[how]();
  }
}
