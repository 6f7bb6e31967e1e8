import type { Clock } from "../../ports/clock.ts";

/** `closed`: calls go out. `open`: none does. `half-open`: one is out to try. */
export type BreakerState = "closed" | "open" | "half-open";

interface BreakerOptions {
  clock: Pick<Clock, "now">;
  /** Calls in a row that failed, after which it opens. */
  failures?: number;
  /** Milliseconds that it stays open before one call may try. */
  openMilliseconds?: number;
  /** Told of every change of state. */
  onChange?: (state: BreakerState) => void;
}

/** A call that may go out. One of the methods is to be called once, when it is known how it went; later ones do nothing. */
export interface Passage {
  /** It is the one call that tries whether the server is back. */
  readonly trial: boolean;
  /** The server answered, whatever it said. */
  succeeded(): void;
  /** The server was not there. */
  failed(): void;
  /** It ended before anything could be known of the server. */
  abandoned(): void;
}

export interface Breaker {
  /** @returns undefined when the server is left alone now */
  enter(): Passage | undefined;
  state(): BreakerState;
}

const FAILURES = 3;
const OPEN_MILLISECONDS = 30_000;

/** Makes a closed breaker. */
export function makeBreaker(options: BreakerOptions): Breaker {
  const { clock, failures = FAILURES, openMilliseconds = OPEN_MILLISECONDS, onChange = () => {} } = options;
  let state: BreakerState = "closed";
  let failed = 0;
  let openUntil = 0;
  /** Changes with the state: what a call learned that went out in another state says nothing of this one. */
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
        // Nothing was learned: the next call may try, at once.
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
