/** What ended a step's function by memory or time, told as what it means for the document. */
import { describeLambdaFailure } from "../../functions/adapters/aws/lambda-failures.ts";
import { timeoutSentence } from "../../functions/ports/errors.ts";
import type { Json } from "../../functions/ports/json.ts";
import { DEFAULT_CONFIG } from "../../functions/service/organizations/organization.ts";
import type { StepInput } from "../../functions/steps/define-step.ts";

const SENTENCES = {
  memory: "Processing failed: The document needs more memory than is allowed",
  deadline: timeoutSentence(DEFAULT_CONFIG.jobTimeoutSeconds),
};

type Handler = (input: Json) => Promise<Json>;

/** A handler whose input may name the failure of another. */
export const toldOfFailures =
  (run: Handler): Handler =>
  async (input) => {
    const { failure } = (input ?? {}) as Partial<StepInput>;
    if (failure?.Cause === undefined) return run(input);
    const told = { ...failure, Cause: describeLambdaFailure(failure.Cause, SENTENCES) };
    return run({ ...(input as { [member: string]: Json }), failure: told });
  };
