import type { Clock } from "../../ports/clock.ts";

/** `closed`: calls pass. `open`: none passes. `half-open`: one trial call is running. */
export type BreakerState = "closed" | "open" | "half-open";

interface BreakerOptions {
  clock: Pick<Clock, "now">;
  /** Consecutive failures after which it opens. */
  failures?: number;
  /** Milliseconds that it stays open before a trial call. */
  openMilliseconds?: number;
  /** Called on every change of state. */
  onChange?: (state: BreakerState) => void;
}

/** Permission for a call. Call one of its methods once the outcome is known; later calls do nothing. */
export interface Passage {
  /** True for the call that tests whether the server is back. */
  readonly trial: boolean;
  /** The server answered, with any status. */
  succeeded(): void;
  /** The server was unreachable. */
  failed(): void;
  /** The call ended without information about the server. */
  abandoned(): void;
}

export interface Breaker {
  /** @returns undefined while the breaker is open */
  enter(): Passage | undefined;
  state(): BreakerState;
}

const DEFAULT_FAILURES = 3;
const DEFAULT_OPEN_MS = 30_000;

/** Makes a closed breaker. */
export function makeBreaker(options: BreakerOptions): Breaker {
  const { clock, failures = DEFAULT_FAILURES, openMilliseconds = DEFAULT_OPEN_MS, onChange = () => {} } = options;
  let state: BreakerState = "closed";
  let failed = 0;
  let openUntil = 0;
  /** Incremented on every change of state: results of calls from another state are ignored. */
  let era = 0;

  const change = (next: BreakerState): void => {
    state = next;
    era += 1;
    failed = 0;
    if (next === "open") openUntil = clock.now() + openMilliseconds;
    onChange(next);
  };

  const passage = (trial: boolean): Passage => {
    const begun = era;
    let settled = false;
    const settle = (apply: () => void) => (): void => {
      if (!settled && begun === era) apply();
      settled = true;
    };
    return {
      trial,
      succeeded: settle(() => {
        failed = 0;
        if (trial) change("closed");
      }),
      failed: settle(() => {
        failed += 1;
        if (trial || failed >= failures) change("open");
      }),
      abandoned: settle(() => {
        // No information: the next call may try at once.
        if (!trial) return;
        change("open");
        openUntil = clock.now();
      }),
    };
  };

  return {
    enter() {
      if (state === "closed") return passage(false);
      if (state === "half-open" || clock.now() < openUntil) return undefined;
      change("half-open");
      return passage(true);
    },
    state: () => state,
  };
}
