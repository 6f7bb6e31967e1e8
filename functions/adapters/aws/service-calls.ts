import type { Clock } from "../../ports/clock.ts";
import { isUnavailable } from "./service-errors.ts";

export interface Patience {
  clock: Pick<Clock, "now" | "sleep">;
  /** From 0 to below 1; Math.random unless a test gives another. */
  random?: () => number;
  /** Milliseconds since 1970; no try begins behind it. */
  deadline?: number;
}

/** Tries of one call, the first included. The client's own tries, if it has any, are inside each. */
const TRIES = 6;
/** Milliseconds before the second try at most; each further wait may be twice as long. */
const FIRST_WAIT = 200;
const LONGEST_WAIT = 5_000;

/** The wait after so many tries, in milliseconds: between half of its share and all of it, so that few are in vain. */
function waitAfter(tried: number, random: () => number): number {
  const share = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tried - 1));
  return Math.round(share * (0.5 + random() / 2));
}

/**
 * Calls until it succeeds, fails for a reason that no wait mends, or the tries or the time are spent.
 * @param again which failures to try again
 * @throws the last failure, as it came
 */
export async function callPatiently<T>(
  call: () => Promise<T>,
  { clock, random = Math.random, deadline = Number.POSITIVE_INFINITY }: Patience,
  again: (error: unknown) => boolean = isUnavailable,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await call();
    } catch (error) {
      const wait = waitAfter(tried, random);
      if (tried === TRIES || !again(error) || clock.now() + wait >= deadline) throw error;
      await clock.sleep(wait);
    }
  }
}
