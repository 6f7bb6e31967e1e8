/** Settles a run; what ended a step's function by memory or time is told as what it means for the document. */
import { describeLambdaFailure } from "../../../functions/adapters/aws/lambda-failures.ts";
import { timeoutSentence } from "../../../functions/core/errors.ts";
import { DEFAULT_CONFIG } from "../../../functions/core/organizations/organization.ts";
import type { Json } from "../../../functions/core/ports.ts";
import { settle } from "../../../functions/steps/settle.ts";
import type { StepInput } from "../../../functions/steps/step.ts";
import { workQueue } from "../parts.ts";
import { stepHandler } from "../step.ts";

const SENTENCES = {
  memory: "Processing failed: The document needs more memory than is allowed",
  deadline: timeoutSentence(DEFAULT_CONFIG.jobTimeoutSeconds),
};

const run = stepHandler(settle, { queue: workQueue });

export const handler = async (input: Json): Promise<Json> => {
  const { failure } = (input ?? {}) as Partial<StepInput>;
  if (failure?.Cause === undefined) return run(input);
  const told = { ...failure, Cause: describeLambdaFailure(failure.Cause, SENTENCES) };
  return run({ ...(input as { [member: string]: Json }), failure: told });
};
