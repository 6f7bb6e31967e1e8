/** Explains to users a step's function that ran out of memory or time. */
import { describeLambdaFailure } from "../../functions/adapters/aws/lambda-failures.ts";
import { timeoutSentence } from "../../functions/ports/errors.ts";
import type { Json } from "../../functions/ports/json.ts";
import { DEFAULT_CONFIG } from "../../functions/service/organizations/organization.ts";
import type { StepInput } from "../../functions/steps/define-step.ts";

const SENTENCES_BY_FAILURE = {
  memory: "Processing failed: The document needs more memory than is allowed",
  deadline: timeoutSentence(DEFAULT_CONFIG.jobTimeoutSeconds),
};

type Handler = (input: Json) => Promise<Json>;

/** Wraps a handler whose input may hold the failure of another function. */
export const withFailureSentence =
  (run: Handler): Handler =>
  async (input) => {
    const { failure } = (input ?? {}) as Partial<StepInput>;
    if (failure?.Cause === undefined) return run(input);
    const told = { ...failure, Cause: describeLambdaFailure(failure.Cause, SENTENCES_BY_FAILURE) };
    return run({ ...(input as { [member: string]: Json }), failure: told });
  };
