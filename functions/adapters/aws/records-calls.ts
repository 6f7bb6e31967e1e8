/** Calls of DynamoDB: retried where that helps; their errors become AppErrors. */
import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  InternalServerError,
  ProvisionedThroughputExceededException,
  ReplicatedWriteConflictException,
  RequestLimitExceeded,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from "@aws-sdk/client-dynamodb";
import type { Clock } from "../../ports/clock.ts";
import { AppError, ServiceUnavailable, StoreLimitExceeded } from "../../ports/errors.ts";

export interface RetryOptions {
  clock: Pick<Clock, "now" | "sleep">;
  /** Most pauses of one operation before it fails with ServiceUnavailable; default 12, about 5 s in all. */
  pauses?: number;
  /** From 0 to below 1; default Math.random. */
  random?: () => number;
}

const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 1500;
const DEFAULT_MAX_PAUSES = 12;
const RACES_PER_PAUSE = 3;

/** The pauses of one operation: random, below a bound that doubles from 25 ms up to 1.5 s. */
export class Pauses {
  readonly #options: RetryOptions;
  #taken = 0;
  #races = 0;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  /** @throws ServiceUnavailable after the last pause */
  async pause(cause?: unknown): Promise<void> {
    const { clock, pauses = DEFAULT_MAX_PAUSES, random = Math.random } = this.#options;
    if (this.#taken >= pauses) {
      throw new ServiceUnavailable("The store is busy; try again", { retryAfter: 1, cause });
    }
    const bound = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#taken);
    this.#taken += 1;
    await clock.sleep(random() * bound);
  }

  /**
   * Call after losing a race. The refusal includes the record, so the next attempt follows at once; every third one
   * pauses.
   * @returns true when it paused, so that earlier reads are outdated
   */
  async afterRace(): Promise<boolean> {
    this.#races += 1;
    if (this.#races % RACES_PER_PAUSE !== 0) return false;
    await this.pause();
    return true;
  }
}

/** A failed condition; its meaning depends on the write. */
export type Refusal = ConditionalCheckFailedException | TransactionCanceledException;

const TRANSIENT_ERRORS = [
  InternalServerError,
  ProvisionedThroughputExceededException,
  ReplicatedWriteConflictException,
  RequestLimitExceeded,
  ThrottlingException,
  TransactionConflictException,
  TransactionInProgressException,
];

/** Codes of CancellationReasons, documented with TransactWriteItems. */
const TRANSIENT_REASONS = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);
export const CONDITION_REASON = "ConditionalCheckFailed";
const NO_REASON = "None";

const NETWORK_CODES = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Codes of the reasons; leaves out operations without a fault. */
const reasonsOf = (error: TransactionCanceledException): string[] =>
  (error.CancellationReasons ?? []).map(({ Code = NO_REASON }) => Code).filter((code) => code !== NO_REASON);

/** True when the same call may succeed in a moment. */
function isTransient(error: unknown): boolean {
  if (error instanceof TransactionCanceledException)
    return reasonsOf(error).some((code) => TRANSIENT_REASONS.has(code));
  if (TRANSIENT_ERRORS.some((kind) => error instanceof kind)) return true;
  if (error instanceof DynamoDBServiceException) return (error.$metadata.httpStatusCode ?? 0) >= 500;
  if (!(error instanceof Error)) return false;
  // No answer: connection refused or broken.
  return error.name === "TimeoutError" || ("code" in error && NETWORK_CODES.has(String(error.code)));
}

export function isRefusal(answer: unknown): answer is Refusal {
  if (answer instanceof ConditionalCheckFailedException) return true;
  if (!(answer instanceof TransactionCanceledException)) return false;
  const reasons = reasonsOf(answer);
  return reasons.length > 0 && reasons.every((code) => code === CONDITION_REASON);
}

/** The driver checks DynamoDB's limits beforehand, so a validation error is a request that no store takes. */
function asAppError(cause: unknown): AppError {
  const invalid =
    cause instanceof TransactionCanceledException ||
    (cause instanceof DynamoDBServiceException && cause.name === "ValidationException");
  if (invalid) return Object.assign(new StoreLimitExceeded("The store does not take this request"), { cause });
  return new AppError("InternalServerError", "The store cannot be used as it is set up", { cause });
}

/**
 * @param send sends the identical request every time, so that one that succeeded without an answer can be recognised
 * @returns the answer, or the refusal when a condition failed
 * @throws ServiceUnavailable when the store stays busy or unreachable @throws AppError for any other error
 */
export async function call<Output>(send: () => Promise<Output>, pauses: Pauses): Promise<Output | Refusal> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (isTransient(error)) await pauses.pause(error);
      else if (isRefusal(error)) return error;
      else throw asAppError(error);
    }
  }
}

/** Runs a call without a condition. */
export async function plainCall<Output>(send: () => Promise<Output>, pauses: Pauses): Promise<Output> {
  const answer = await call(send, pauses);
  if (isRefusal(answer)) throw asAppError(answer);
  return answer;
}
