import { JobFailure } from "../ports/errors.ts";
import { loadNodes, type RunNodes } from "../service/pipelines/node-statuses.ts";
import { recordMark, timeoutSentenceOf } from "../service/pipelines/run-node.ts";
import { INTERNAL_SENTENCE } from "../service/runs/step-errors.ts";
import { sentenceOfCause } from "../service/runs/step-outcomes.ts";
import { defineStep, type StepInput } from "./define-step.ts";

type Caught = NonNullable<StepInput["failure"]>;

/** The sentence of a node ended from outside: its time was over, or its process or function died. */
function sentenceOfEnd(nodes: RunNodes | undefined, id: string, { Error: error, Cause }: Caught): string {
  const seconds = nodes?.pipeline.nodes.find((node) => node.id === id)?.timeoutSeconds ?? null;
  if (error === "States.Timeout" && seconds !== null) return timeoutSentenceOf(id, seconds);
  return sentenceOfCause(Cause) ?? INTERNAL_SENTENCE;
}

/**
 * Records a node as skipped, or as failed with the error that the machine caught; an outcome on record stays. ENDED:
 * failed, and the failure ends the pipeline.
 * @throws JobFailure with the sentence of the node that ends its run
 */
export const markNodeStep = defineStep(async (org, input) => {
  const { guid, run, node = "", status, failure = {} } = input;
  if (status === "SKIPPED") return recordMark(org, { guid, run, node }, { status });
  const nodes = await loadNodes(org, guid, run);
  const sentence = nodes?.done.get(node)?.sentence ?? sentenceOfEnd(nodes, node, failure);
  const state = await recordMark(org, { guid, run, node }, { status: "FAILED", sentence });
  if (status === "ENDED" && state.status === "FAILED") throw new JobFailure(sentence);
  return state;
});
