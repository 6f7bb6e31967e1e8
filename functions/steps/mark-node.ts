import { INTERNAL_SENTENCE } from "../core/jobs/steps.ts";
import { markNode } from "../core/pipelines/frame.ts";
import { loadNodes } from "../core/pipelines/nodes.ts";
import { sentenceOfEnd } from "../core/pipelines/publish.ts";
import { defineStep } from "./step.ts";

/** Records a node as skipped, or as failed where its pipeline goes on without it. */
export const markedNode = defineStep(async (org, input) => {
  const { guid, run, node = "", status, failure = {} } = input;
  if (status === "SKIPPED") return markNode(org, { guid, run, node }, { status });
  const nodes = await loadNodes(org, guid, run);
  const sentence = nodes === undefined ? INTERNAL_SENTENCE : sentenceOfEnd(nodes, node, failure);
  return markNode(org, { guid, run, node }, { status: "FAILED", sentence });
});
