/** A bar for each document of a batch, at the bottom of a terminal. */
import { basename } from "node:path";
import { isTerminal, type ProcessingJob, type SheafClient, SheafError } from "../index.ts";
import { type Paint, paintFor, withoutControls } from "./colors.ts";
import type { Io } from "./io.ts";
import type { ProgressDisplay } from "./progress.ts";

/** More lines than a terminal has cannot be drawn anew. */
const MAX_BARS = 20;
const NAME_WIDTH = 40;
const BAR_WIDTH = 12;

/** How much of a bar is full in each state; the service tells no shares of a document. */
const STATES = {
  waiting: { full: 0, style: "dim" },
  uploading: { full: 2, style: "dim" },
  uploaded: { full: 4, style: "cyan" },
  working: { full: 7, style: "cyan" },
  done: { full: BAR_WIDTH, style: "green" },
  failed: { full: BAR_WIDTH, style: "red" },
  refused: { full: BAR_WIDTH, style: "red" },
} as const satisfies Record<string, { full: number; style: keyof Paint }>;
type State = keyof typeof STATES;

export class BatchBars implements ProgressDisplay {
  /** Standard error, whose lines go above the bars. */
  readonly stderr: Io["stderr"];
  readonly #out: Io["stderr"];
  readonly #paint: Paint;
  readonly #names: readonly string[];
  readonly #states: State[];
  /** From a document's index in the batch to its bar. */
  readonly #barOf = new Map<number, number>();
  #drawn = 0;
  #ended = false;
  #counted = 0;
  #signal: AbortSignal | undefined;
  /** Texts in the list are errors; without a failed document they are results. */
  #someFailed = false;
  #over = false;
  #fetch: (() => Promise<readonly unknown[]>) | undefined;
  #fetching: Promise<void> | undefined;

  private constructor(io: Io, files: readonly string[]) {
    this.#out = io.stderr;
    this.#paint = paintFor(io.stderr, io.env);
    this.#names = files.map((file) => withoutControls(basename(file)).slice(0, NAME_WIDTH));
    this.#states = files.map(() => "waiting");
    this.stderr = { isTTY: io.stderr.isTTY, write: (text) => this.#above(text) };
  }

  /** @returns undefined where nobody sees bars, and for more documents than fit on a terminal */
  static for(io: Io, files: readonly string[]): BatchBars | undefined {
    const fits = io.stderr.isTTY && io.env.TERM !== "dumb" && files.length <= MAX_BARS;
    return fits ? new BatchBars(io, files) : undefined;
  }

  set(bar: number, state: State): void {
    if (this.#states[bar] === state) return;
    this.#states[bar] = state;
    this.#redraw();
  }

  /** @param index of the document in the batch */
  uploaded(bar: number, index: number): void {
    this.#barOf.set(index, bar);
    this.set(bar, "uploaded");
  }

  /** Follows a started batch: the list that it has so far tells which documents have ended. */
  waitingFor(client: SheafClient, guid: string, signal: AbortSignal): this {
    for (const bar of this.#barOf.values()) this.set(bar, "working");
    this.#signal = signal;
    this.#fetch = async () => {
      const { json } = await client.resultJson(guid, { signal });
      return Array.isArray(json) ? json : [];
    };
    return this;
  }

  show(job: ProcessingJob): void {
    const counted = job.completedDocs + job.failedDocs;
    if (counted === this.#counted && !isTerminal(job.status)) return;
    this.#counted = counted;
    this.#someFailed = job.failedDocs > 0;
    this.#over = isTerminal(job.status);
    this.#fetching ??= this.#update().finally(() => {
      this.#fetching = undefined;
    });
  }

  /** Draws the last state; later lines go below. */
  async end(): Promise<void> {
    await this.#fetching;
    // A service that went away is not asked again.
    if (this.#over) await this.#update();
    this.#ended = true;
    this.#drawn = 0;
  }

  async #update(): Promise<void> {
    if (this.#fetch === undefined || this.#ended) return;
    try {
      const entries = await this.#fetch();
      for (const [index, bar] of this.#barOf) {
        const entry = entries[index] ?? null;
        if (entry !== null) this.set(bar, typeof entry === "string" && this.#someFailed ? "failed" : "done");
      }
    } catch (error) {
      // The bars are an addition: the wait itself reports an error of the service, and Ctrl-C.
      if (!(error instanceof SheafError) && this.#signal?.aborted !== true) throw error;
    }
  }

  #above(text: string): void {
    this.#clear();
    this.#out.write(text);
    if (!this.#ended) this.#redraw();
  }

  #clear(): void {
    if (this.#drawn > 0) this.#out.write(`\u001b[${this.#drawn}A\u001b[0J`);
    this.#drawn = 0;
  }

  #redraw(): void {
    if (this.#ended) return;
    this.#clear();
    const width = Math.max(...this.#names.map((name) => name.length));
    for (const [at, name] of this.#names.entries()) {
      const state = this.#states[at] ?? "waiting";
      const { full, style } = STATES[state];
      const bar = `${"█".repeat(full)}${"░".repeat(BAR_WIDTH - full)}`;
      this.#out.write(`${name.padEnd(width)}  ${this.#paint[style](bar)}  ${state}\n`);
    }
    this.#drawn = this.#names.length;
  }
}
