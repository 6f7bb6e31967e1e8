import type { StepName } from "../../statemachines/steps.ts";
import type { Step } from "../ports/workflows.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { batchClose } from "./batch-close.ts";
import { batchOpen } from "./batch-open.ts";
import { batchPlan } from "./batch-plan.ts";
import { batchSettle } from "./batch-settle.ts";
import { beginNodes } from "./begin-nodes.ts";
import { chunk } from "./chunk.ts";
import { collect } from "./collect.ts";
import { computeNode } from "./compute-node.ts";
import { correctNode } from "./correct-node.ts";
import type { StepDefinition } from "./define-step.ts";
import { describe } from "./describe.ts";
import { enrich } from "./enrich.ts";
import { extract } from "./extract.ts";
import { extractChunk } from "./extract-chunk.ts";
import { extractNode } from "./extract-node.ts";
import { markNodeStep } from "./mark-node.ts";
import { operate } from "./operate.ts";
import { operateNode } from "./operate-node.ts";
import { recognize } from "./recognize.ts";
import { reduce } from "./reduce.ts";
import { settle } from "./settle.ts";
import { transcribe } from "./transcribe.ts";

const STEPS: Record<StepName, StepDefinition> = {
  recognize,
  collect,
  enrich,
  describe,
  extract,
  chunk,
  "extract-chunk": extractChunk,
  reduce,
  transcribe,
  "begin-nodes": beginNodes,
  "extract-node": extractNode,
  "compute-node": computeNode,
  "correct-node": correctNode,
  "operate-node": operateNode,
  "mark-node": markNodeStep,
  settle,
  operate,
  "batch-plan": batchPlan,
  "batch-open": batchOpen,
  "batch-close": batchClose,
  "batch-settle": batchSettle,
};

/** Makes every step, by the name that the state machines use. */
export function makeSteps(organization: (id: number) => Organization): Record<StepName, Step> {
  return Object.fromEntries(Object.entries(STEPS).map(([name, define]) => [name, define(organization)])) as Record<
    StepName,
    Step
  >;
}
