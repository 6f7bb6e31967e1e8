import type { ProcessingJob } from "../index.ts";
import type { Io } from "./io.ts";

const SPINNER_FRAMES = ["|", "/", "-", "\\"];
const SPINNER_INTERVAL_MS = 120;
/** An unchanged line is not repeated before this. */
const REPEAT_AFTER_SECONDS = 10;

/** The current phase of a job in a few words. */
function phaseOf({ status, progress }: ProcessingJob): string {
  const phase = progress?.phase ?? status.toLowerCase();
  if (progress === undefined || progress.total <= 1) return phase;
  return `${phase} ${progress.done}/${progress.total}${progress.unit === undefined ? "" : ` ${progress.unit}s`}`;
}

/** Shows how far a job is. */
export interface ProgressDisplay {
  /** Shows a status that was read. */
  show(job: ProcessingJob): void;
  /** Clears what is in the way of the result. */
  end(): void | Promise<void>;
}

/** Shows the progress of a job on standard error: a spinner on a terminal, plain lines elsewhere. */
export class Progress implements ProgressDisplay {
  readonly #stderr: Io["stderr"];
  #phase = "";
  #shownAt = 0;
  #width = 0;
  #frame = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #begun = performance.now();

  constructor(stderr: Io["stderr"]) {
    this.#stderr = stderr;
  }

  /** Shows a status that was read. */
  show(job: ProcessingJob): void {
    const phase = phaseOf(job);
    const seconds = this.#seconds();
    const news = phase !== this.#phase;
    this.#phase = phase;
    if (this.#stderr.isTTY) {
      this.#timer ??= setInterval(() => this.#turn(), SPINNER_INTERVAL_MS);
      this.#turn();
    } else if (news || seconds - this.#shownAt >= REPEAT_AFTER_SECONDS) {
      this.#shownAt = seconds;
      this.#stderr.write(`${phase}, ${seconds.toFixed(1)} s\n`);
    }
  }

  /** Stops the spinner and clears its line. */
  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#width > 0) this.#stderr.write(`\r${" ".repeat(this.#width)}\r`);
    this.#width = 0;
  }

  #seconds(): number {
    return (performance.now() - this.#begun) / 1000;
  }

  #turn(): void {
    const frame = SPINNER_FRAMES[this.#frame++ % SPINNER_FRAMES.length];
    const text = `${frame} ${this.#phase}, ${Math.floor(this.#seconds())} s`;
    this.#stderr.write(`\r${text.padEnd(this.#width)}`);
    this.#width = Math.max(this.#width, text.length);
  }
}
