/** Errors of Stripe's client as the service's own. No message of Stripe's reaches a caller: it may quote a key. */
import Stripe from "stripe";
import { AppError, BadRequest, Conflict, ServiceUnavailable } from "../../ports/errors.ts";

/** Seconds after which a caller should try again, where Stripe does not say. */
const RETRY_AFTER_SECONDS = 5;
/** The longest pause that is passed on. */
const MAX_RETRY_AFTER_SECONDS = 60;

const unavailable = (message: string, cause: unknown, retryAfter = RETRY_AFTER_SECONDS): ServiceUnavailable =>
  new ServiceUnavailable(message, { retryAfter, cause });

function pauseOf({ headers }: { headers?: Record<string, string> | undefined }): number {
  const seconds = Number(headers?.["retry-after"] ?? Number.NaN);
  const isUsable = Number.isInteger(seconds) && seconds >= 1;
  return isUsable ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : RETRY_AFTER_SECONDS;
}

/** True for an object that Stripe does not have, or that cannot be used any more. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.code === "resource_missing" || error.statusCode === 404);

/** @returns the error to throw in place of the client's */
export function toAppError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Stripe.errors.StripeError)) return error;
  if (error instanceof Stripe.errors.StripeRateLimitError) {
    return unavailable("The payment provider is busy; nothing was charged, try again", error, pauseOf(error));
  }
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  ) {
    return unavailable("The payment provider refuses this service's key; tell the service's operator", error);
  }
  if (error instanceof Stripe.errors.StripeIdempotencyError) {
    return new Conflict("This Idempotency-Key was used for another checkout; use a new key", { cause: error });
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    return new BadRequest("The payment provider refuses this checkout; look at GET /billing/prices and try again", {
      cause: error,
    });
  }
  return unavailable("The payment provider does not answer; nothing was charged, try again", error);
}

/** Does a call of Stripe's. @throws the service's errors */
export async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toAppError(error);
  }
}
