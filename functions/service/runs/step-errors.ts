/** Errors that end a step. */
import { AppError } from "../../ports/errors.ts";

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

/** The sentence of an internal error. */
export const INTERNAL_SENTENCE =
  "Processing failed: The service made an error; try again, and report the job's id if it happens again";
