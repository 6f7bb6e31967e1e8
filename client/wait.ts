import { SheafWaitTimeout } from "./errors.ts";
import { sleep } from "./http.ts";
import { isTerminal, type ProcessingJob } from "./types.ts";

export interface WaitOptions {
  /** Seconds until SheafWaitTimeout; default 330, as the service gives a document 300 s. */
  timeoutSeconds?: number | undefined;
  /** Called with every status that was read, the last one included, and the seconds since the start. */
  onProgress?: ((job: ProcessingJob, seconds: number) => void) | undefined;
  /**
   * The longest time that a status call is held open, in whole seconds; at most 25; default 20, or 2 with `onProgress`.
   */
  pollSeconds?: number | undefined;
  signal?: AbortSignal | undefined;
}

type ReadStatus = (
  guid: string,
  options: { waitSeconds: number | undefined; signal: AbortSignal },
) => Promise<ProcessingJob>;

/** The service's own limit. */
const MAX_POLL_SECONDS = 25;
/** An answer may be late by this before the wait ends without it. */
const ANSWER_GRACE_MS = 1_000;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 2_000;
/** The longest time of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Reads a job's status until it is terminal. The service holds each call open; where it does not, the calls are spaced
 * out here.
 * @throws SheafWaitTimeout, and the errors of reading the status
 */
export async function waitForJob(read: ReadStatus, guid: string, options: WaitOptions): Promise<ProcessingJob> {
  const { timeoutSeconds = 330, onProgress } = options;
  const pollSeconds = Math.min(options.pollSeconds ?? (onProgress === undefined ? 20 : 2), MAX_POLL_SECONDS);
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 1000;
  const deadline = AbortSignal.timeout(Math.min(timeoutSeconds * 1000 + ANSWER_GRACE_MS, MAX_TIMER_MS));
  const signal = options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline]);
  let job: ProcessingJob | null = null;
  let pause = FIRST_PAUSE_MS;
  // With onProgress, read the first status at once.
  let atOnce = onProgress !== undefined;
  try {
    for (;;) {
      const asked = elapsed();
      const held = atOnce ? 0 : Math.max(0, Math.min(pollSeconds, Math.floor(timeoutSeconds - asked)));
      job = await read(guid, { waitSeconds: held === 0 ? undefined : held, signal });
      onProgress?.(job, elapsed());
      if (isTerminal(job.status)) return job;
      const left = timeoutSeconds - elapsed();
      if (left <= 0) throw new SheafWaitTimeout(guid, timeoutSeconds, job);
      const wasHeld = held > 0 && elapsed() - asked > held * 0.9;
      if (wasHeld) pause = FIRST_PAUSE_MS;
      if (wasHeld || atOnce) {
        atOnce = false;
        continue;
      }
      await sleep(Math.min(pause, left * 1000), signal);
      pause = Math.min(pause * 1.5, MAX_PAUSE_MS);
    }
  } catch (error) {
    if (deadline.aborted && error === deadline.reason) throw new SheafWaitTimeout(guid, timeoutSeconds, job);
    throw error;
  }
}
