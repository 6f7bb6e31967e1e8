/** Ends of steps that are no result. */
import { AppError } from "../../ports/errors.ts";

/** Ends a step whose run is over: nothing it would do may count any more. */
export class RunClosed extends AppError {
  static override readonly name = "RunClosed";
  constructor() {
    super("Conflict", "This run has ended");
  }
}

/** Thrown for what may go better at once: the machines' Retry names it. */
export class RetryableStepError extends AppError {
  static override readonly name = "RetryableStepError";
  constructor(message: string, cause: unknown) {
    super("ServiceUnavailable", message, { cause }, true);
  }
}

/** The sentence of a failure that is ours, not the document's. */
export const INTERNAL_SENTENCE =
  "Processing failed: The service made an error; try again, and report the job's id if it happens again";
