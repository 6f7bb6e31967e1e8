/** When a call to the service is tried again. */
import { type SheafError, SheafUnreachable } from "./errors.ts";

const FIRST_RETRY_PAUSE_MS = 250;
/** A service that is back is noticed within this. */
const MAX_RETRY_PAUSE_MS = 2_000;
/** A refusal that asks for a longer pause goes to the caller at once. */
const MAX_RETRY_AFTER_SECONDS = 30;

/** The part of a call that tells whether it may run twice. */
interface RepeatableCall {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  idempotencyKey?: string;
  computes?: boolean | undefined;
}

/** True when nobody answers, or only a proxy before the service: the service's own 503 names its kind. */
export function isAway(error: SheafError): boolean {
  if (error instanceof SheafUnreachable) return !error.timedOut;
  return error.status === 502 || error.status === 504 || (error.status === 503 && error.kind === undefined);
}

/** Milliseconds until the next try; undefined for no retry. @param tried the number of tries so far */
export function pauseBeforeRetry(error: SheafError, call: RepeatableCall, tried: number): number | undefined {
  const backoff = Math.min(FIRST_RETRY_PAUSE_MS * 2 ** (tried - 1), MAX_RETRY_PAUSE_MS) * (0.75 + Math.random() / 2);
  const { method, computes, idempotencyKey } = call;
  const repeatable = computes ?? (method === "GET" || method === "PUT" || idempotencyKey !== undefined);
  if (error instanceof SheafUnreachable) return repeatable && !error.timedOut ? backoff : undefined;
  // A proxy's 503 without a time may follow work that was done: an API gateway sends it when an answer takes too long.
  const mayBeDone = isAway(error) && (error.status !== 503 || error.retryAfter === undefined);
  if (mayBeDone) return repeatable ? backoff : undefined;
  // A 409 with Retry-After: the same idempotency key is still at work.
  const later = error.status === 409 && error.retryAfter !== undefined;
  if (error.status !== 429 && error.status !== 503 && !later) return undefined;
  if (error.retryAfter === undefined) return backoff;
  return error.retryAfter <= MAX_RETRY_AFTER_SECONDS ? error.retryAfter * 1000 : undefined;
}
