import { settleRun } from "../service/lifecycle/settle-run.ts";
import { publishPipeline } from "../service/pipelines/publish-result.ts";
import { INTERNAL_SENTENCE } from "../service/runs/step-errors.ts";
import { sentenceOfCause } from "../service/runs/step-outcomes.ts";
import { defineStep } from "./define-step.ts";

/** Ends the run: with its result, or with the sentence of what failed. */
export const settle = defineStep(async (org, input) => {
  const { guid, run, failure } = input;
  await publishPipeline(org, { guid, run, ...(failure ? { failure } : {}) });
  const sentence = failure && (sentenceOfCause(failure.Cause) ?? INTERNAL_SENTENCE);
  return { status: await settleRun(org, guid, run, sentence) };
});
