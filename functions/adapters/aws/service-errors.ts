/** Maps errors of AWS services: an SDK error leaves this room only as a cause for the log. */
import { AppError, ServiceUnavailable } from "../../ports/errors.ts";

/** Seconds until a caller may retry; the SDK's own retries are over by then. */
const RETRY_AFTER_SECONDS = 5;

/** Transient errors with status 400 ("Common Errors" of each service's reference). */
const TRANSIENT_CODES = new Set([
  "KmsThrottled",
  "OverLimit",
  "RequestExpired",
  "RequestLimitExceeded",
  "RequestThrottled",
  "RequestThrottledException",
  "RequestTimeout",
  "RequestTimeoutException",
  "SlowDown",
  "ThrottledException",
  "Throttling",
  "ThrottlingException",
  "TimeoutError",
  "TooManyRequestsException",
]);

const memberOf = (value: unknown, member: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, member) : undefined;

/** The HTTP status of a service's answer; undefined without an answer. */
export function statusOf(error: unknown): number | undefined {
  const status = memberOf(memberOf(error, "$metadata"), "httpStatusCode");
  return typeof status === "number" ? status : undefined;
}

/** The service's error code, such as `InvalidRange`. */
export function codeOf(error: unknown): string {
  const name = memberOf(error, "name");
  return typeof name === "string" ? name : "";
}

/** True when the SDK sent the request more than once, so that this error may not be the first answer. */
export const wasSentAgain = (error: unknown): boolean => Number(memberOf(memberOf(error, "$metadata"), "attempts")) > 1;

/** True when the same call may succeed later: throttling, a fault of the service, or of the network. */
export function isUnavailable(error: unknown): boolean {
  if (TRANSIENT_CODES.has(codeOf(error))) return true;
  const status = statusOf(error);
  if (status !== undefined && status >= 400) return status === 429 || status >= 500;
  // No answer or a broken one: the operating system's code names the connection's failure.
  const code = memberOf(error, "code");
  return typeof code === "string" && /^E(?!RR_)[A-Z_]+$/.test(code);
}

/**
 * @param service the failed service as a user knows it: "The file store"
 * @returns ServiceUnavailable for transient errors, a plain 500 for errors an operator must fix (rights, names, limits)
 */
export function toAppError(error: unknown, service: string): AppError {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) {
    const sentence = `${service} is not available at the moment; try again in ${RETRY_AFTER_SECONDS} seconds.`;
    return new ServiceUnavailable(sentence, { retryAfter: RETRY_AFTER_SECONDS, cause: error });
  }
  return new AppError("InternalServerError", `${service} refused a request of the service.`, { cause: error });
}
