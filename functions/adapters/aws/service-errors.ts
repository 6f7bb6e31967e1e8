/** What an AWS service's refusal becomes: nothing of the SDK's errors goes on upwards, except as a cause for the log. */
import { AppError, ServiceUnavailable } from "../../ports/errors.ts";

/** Seconds after which a caller may try again; the SDK's own tries are over by then. */
const RETRY_AFTER = 5;

/** Refusals that pass by themselves, though they come with status 400 ("Common Errors" of each service's reference). */
const PASSING = new Set([
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

/** The HTTP status that a service answered; undefined when it did not. */
export function statusOf(error: unknown): number | undefined {
  const status = memberOf(memberOf(error, "$metadata"), "httpStatusCode");
  return typeof status === "number" ? status : undefined;
}

/** The service's code of an error, such as `InvalidRange`. */
export function codeOf(error: unknown): string {
  const name = memberOf(error, "name");
  return typeof name === "string" ? name : "";
}

/** Whether the SDK sent the request more than once, so that this error need not be the first answer. */
export const wasSentAgain = (error: unknown): boolean => Number(memberOf(memberOf(error, "$metadata"), "attempts")) > 1;

/** Whether the same call may succeed later: the service throttles or has a fault, or the network between has. */
export function isUnavailable(error: unknown): boolean {
  if (PASSING.has(codeOf(error))) return true;
  const status = statusOf(error);
  if (status !== undefined && status >= 400) return status === 429 || status >= 500;
  // No answer, or one that broke off: the operating system says what happened to the connection.
  const code = memberOf(error, "code");
  return typeof code === "string" && /^E(?!RR_)[A-Z_]+$/.test(code);
}

/**
 * @param service what failed, as a user knows it: "The file store"
 * @returns ServiceUnavailable for what passes, a plain 500 for what somebody has to mend (rights, names, limits)
 */
export function toAppError(error: unknown, service: string): AppError {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) {
    const sentence = `${service} is not available at the moment; try again in ${RETRY_AFTER} seconds.`;
    return new ServiceUnavailable(sentence, { retryAfter: RETRY_AFTER, cause: error });
  }
  return new AppError("InternalServerError", `${service} refused a request of the service.`, { cause: error });
}
