/** Errors that end a step. */
import { AppError } from "../../ports/errors.ts";
import { machineFault } from "../../ports/machine-faults.ts";

/** Ends a step whose run has ended. */
export class RunClosed extends AppError {
  static override readonly name = "RunClosed";
  constructor() {
    super("Conflict", "This run has ended");
  }
}

/** Transient failure; retried by the state machine. */
export class RetryableStepError extends AppError {
  static override readonly name = "RetryableStepError";
  constructor(message: string, cause: unknown) {
    super("ServiceUnavailable", message, { cause }, true);
  }
}

/**
 * The error that a step throws for one that was thrown in it: a transient failure, of a store or of the machine, is
 * retried by the state machine; any other is unchanged.
 */
export function stepErrorOf(thrown: unknown): unknown {
  const error = machineFault(thrown) ?? thrown;
  if (!(error instanceof AppError) || !error.retryable || error instanceof RetryableStepError) return error;
  return new RetryableStepError(error.message, thrown);
}

/** The sentence of an internal error. */
export const INTERNAL_SENTENCE =
  "Processing failed: The service made an error; try again, and report the job's id if it happens again";
