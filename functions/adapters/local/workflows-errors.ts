/** Errors for the interpreter: `name` is matched by ErrorEquals, `message` is the Cause. */

import { cutBytes, cutCause, cutName, MAX_CAUSE_BYTES } from "../workflows-limits.ts";

class NamedError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** An error that no Retry and no Catch matches; the interpreter reads both members. */
class TerminalError extends NamedError {
  readonly isRetryable = false;
  readonly isCatchable = false;
}

/** Stops a state machine whose scope has ended. Never shown. */
export const scopeOver = (): Error => new TerminalError("States.Runtime", "The execution is over.");

/** @see https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html */
export const runtimeError = (message: string): Error => new TerminalError("States.Runtime", message);

/** A payload over the quota; not even States.ALL catches it. */
export const dataLimitError = (what: string): Error =>
  new TerminalError("States.DataLimitExceeded", `${what} is larger than the maximum of 262144 bytes.`);

/** Failure of a Task that waits for an execution. @param cause that execution's description as JSON */
export const taskFailed = (cause: string): Error => new NamedError("States.TaskFailed", cause);

/** A machine cannot start an execution under the name of an ended one. */
export const executionExists = (name: string): Error =>
  new NamedError("StepFunctions.ExecutionAlreadyExistsException", `Execution Already Exists: '${name}'`);

/** A machine starts an execution of an unknown machine. */
export const machineUnknown = (name: string): Error =>
  new NamedError("StepFunctions.StateMachineDoesNotExistException", `State Machine Does Not Exist: '${name}'`);

/** Cause as JSON; the message is truncated until the whole text, escapes included, is within the limit. */
function boundedCause(errorType: string, message: string): string {
  let errorMessage = cutCause(message);
  for (;;) {
    const cause = JSON.stringify({ errorType, errorMessage });
    const size = Buffer.byteLength(cause);
    if (size <= MAX_CAUSE_BYTES || errorMessage === "") return cause;
    const share = MAX_CAUSE_BYTES / size;
    errorMessage = cutBytes(errorMessage, Math.floor(Buffer.byteLength(errorMessage) * share) - 1);
  }
}

/** An error of a step as Lambda reports it: the Cause is JSON text with type and message, without a stack trace. */
export function stepError(thrown: unknown): Error {
  const isError = thrown instanceof Error;
  const name = cutName((isError ? thrown.name : typeof thrown) || "Error");
  return new NamedError(name, boundedCause(name, isError ? thrown.message : String(thrown)));
}
