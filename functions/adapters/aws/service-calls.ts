import type { Clock } from "../../ports/clock.ts";
import { isUnavailable } from "./service-errors.ts";

export interface Patience {
  clock: Pick<Clock, "now" | "sleep">;
  /** From 0 to below 1; default Math.random. */
  random?: () => number;
  /** Milliseconds since 1970; no attempt starts after it. */
  deadline?: number;
}

/** Attempts of one call, the first included. The client's own retries are inside each. */
const MAX_ATTEMPTS = 6;
/** Longest wait before the second attempt in milliseconds; each further wait may double. */
const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 5_000;

/** The wait after this many attempts, in milliseconds: random, between half of its bound and all of it. */
function waitAfter(tried: number, random: () => number): number {
  const share = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tried - 1));
  return Math.round(share * (0.5 + random() / 2));
}

/**
 * Retries a call until it succeeds, fails permanently, or runs out of attempts or time.
 * @param again true for failures to retry
 * @throws the last failure unchanged
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
      if (tried === MAX_ATTEMPTS || !again(error) || clock.now() + wait >= deadline) throw error;
      await clock.sleep(wait);
    }
  }
}
