import { sentenceOfCause, settleRun } from "../core/jobs/settle.ts";
import { INTERNAL_SENTENCE } from "../core/jobs/steps.ts";
import { defineStep } from "./step.ts";

/** Ends the run: with its result, or with the sentence of what failed. */
export const settle = defineStep(async (org, input) => {
  const sentence = input.failure && (sentenceOfCause(input.failure.Cause) ?? INTERNAL_SENTENCE);
  return { status: await settleRun(org, input.guid, input.run, sentence) };
});
