/** Classifies errors of the `openai` client. */
import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { AppError } from "../../ports/errors.ts";
import { OutboundFailure } from "../../ports/outbound.ts";
import { AnswerTooLarge } from "./client.ts";
import { type Failure, failureOf } from "./failure-reasons.ts";
import { stringOf } from "./wire.ts";

/** The first error code in a chain of causes from the runtime, such as ECONNRESET or UND_ERR_SOCKET. */
function codeOf(error: unknown): string | undefined {
  let cause: unknown = error;
  for (let depth = 0; depth < 8 && cause instanceof Error; depth += 1) {
    const code = stringOf((cause as { code?: unknown }).code);
    if (code !== undefined && /^[A-Z][A-Z_]{2,40}$/.test(code)) return code;
    cause = cause.cause;
  }
  return undefined;
}

/** The first error in a chain of causes that the test is true for. */
const causeOf = (error: Error, test: (cause: Error) => boolean): Error | undefined => {
  if (!(error.cause instanceof Error)) return undefined;
  return test(error.cause) ? error.cause : causeOf(error.cause, test);
};
const isForbidden = (cause: Error): boolean => cause instanceof OutboundFailure && cause.forbidden;
/** The service's own, such as a secret that cannot be read: no request was sent. */
const isOwn = (cause: Error): boolean => cause instanceof AppError && !(cause instanceof OutboundFailure);

/** @throws the error itself when it is a defect rather than a failed call; the AppError that kept it from being sent */
export function failureFrom(error: unknown, now: number): Failure {
  if (error instanceof APIConnectionTimeoutError) return { reason: "time-out" };
  if (error instanceof APIConnectionError) {
    if (causeOf(error, (cause) => cause instanceof AnswerTooLarge)) return { reason: "too-large" };
    if (causeOf(error, isForbidden)) return { reason: "forbidden" };
    const own = causeOf(error, isOwn);
    if (own !== undefined) throw own;
    const code = codeOf(error);
    return { reason: "connection", ...(code === undefined ? {} : { code }) };
  }
  if (!(error instanceof APIError) || error.status === undefined) throw error;
  const { status, headers } = error as { status: number; headers: Headers | undefined };
  // A body that is not JSON is in the message, after the status.
  return failureOf(status, error.error ?? error.message, headers, now);
}
