/** Maps errors of Step Functions to AppErrors. */
import {
  ExecutionDoesNotExist,
  ExecutionLimitExceeded,
  InvalidArn,
  InvalidDefinition,
  InvalidExecutionInput,
  InvalidName,
  InvalidToken,
  KmsThrottlingException,
  StateMachineDeleting,
  StateMachineDoesNotExist,
  StateMachineLimitExceeded,
} from "@aws-sdk/client-sfn";
import { type AppError, BadRequest, MachineMissing, NotFound, ServiceUnavailable } from "../../ports/errors.ts";
import { isUnavailable, toAppError } from "./service-errors.ts";

/** Seconds; an account's open executions and machines decrease only as others end. */
const RETRY_AFTER_SECONDS = 30;

/** True when the same call may succeed in a moment. */
export const isTransient = (error: unknown): boolean => error instanceof KmsThrottlingException || isUnavailable(error);

/** True when the machine does not exist or is being deleted. An invalid ARN counts too. */
export const isNoMachine = (error: unknown): boolean =>
  error instanceof StateMachineDoesNotExist || error instanceof StateMachineDeleting || error instanceof InvalidArn;

export const unknownMachine = (cause?: unknown): NotFound =>
  new NotFound("There is no state machine of that name.", { cause });
export const unknownExecution = (cause?: unknown): NotFound =>
  new NotFound("There is no execution of that name.", { cause });
/** A new machine that is not visible everywhere yet, or one whose namesake is being deleted. */
export const machineNotReady = (cause: unknown): MachineMissing =>
  new MachineMissing("The state machine is not ready yet; try again in a few seconds.", { cause, retryAfter: 5 });

/** Maps any failure of a Step Functions call. */
export function workflowFailure(error: unknown): AppError {
  if (error instanceof InvalidDefinition) return new BadRequest("The state machine is not valid.", { cause: error });
  if (error instanceof InvalidName) return new BadRequest("The name is not valid.", { cause: error });
  if (error instanceof InvalidExecutionInput) {
    return new BadRequest("The execution's input is not valid.", { cause: error });
  }
  if (error instanceof InvalidToken) {
    return new BadRequest("The cursor does not belong to this history; start again without it", { cause: error });
  }
  if (error instanceof ExecutionDoesNotExist) return unknownExecution(error);
  if (error instanceof StateMachineDoesNotExist) return unknownMachine(error);
  if (error instanceof StateMachineDeleting) return machineNotReady(error);
  const full = error instanceof ExecutionLimitExceeded || error instanceof StateMachineLimitExceeded;
  if (full || error instanceof KmsThrottlingException) {
    const sentence = "The workflow service has no room for more at the moment; try again later.";
    return new ServiceUnavailable(sentence, { cause: error, retryAfter: RETRY_AFTER_SECONDS });
  }
  return toAppError(error, "The workflow service");
}
