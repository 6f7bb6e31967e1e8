import type { BatchStep } from "../../statemachines/batch.ts";
import type { DocumentStep } from "../../statemachines/document.ts";
import type { OperationStep } from "../../statemachines/operation.ts";
import type { Organization } from "../core/organizations/organization.ts";
import type { Step } from "../core/ports.ts";
import { batchClose } from "./batch-close.ts";
import { batchOpen } from "./batch-open.ts";
import { batchPlan } from "./batch-plan.ts";
import { batchSettle } from "./batch-settle.ts";
import { chunk } from "./chunk.ts";
import { collect } from "./collect.ts";
import { describe } from "./describe.ts";
import { enrich } from "./enrich.ts";
import { extract } from "./extract.ts";
import { extractChunk } from "./extract-chunk.ts";
import { operate } from "./operate.ts";
import { recognize } from "./recognize.ts";
import { reduce } from "./reduce.ts";
import { settle } from "./settle.ts";
import type { StepDefinition } from "./step.ts";
import { transcribe } from "./transcribe.ts";

const STEPS: Record<DocumentStep | BatchStep | OperationStep, StepDefinition> = {
  recognize,
  collect,
  enrich,
  describe,
  extract,
  chunk,
  "extract-chunk": extractChunk,
  reduce,
  transcribe,
  settle,
  operate,
  "batch-plan": batchPlan,
  "batch-open": batchOpen,
  "batch-close": batchClose,
  "batch-settle": batchSettle,
};

/** Every step by the name that the machines call it by. */
export function makeSteps(
  organization: (id: number) => Organization,
): Record<DocumentStep | BatchStep | OperationStep, Step> {
  return Object.fromEntries(Object.entries(STEPS).map(([name, define]) => [name, define(organization)])) as Record<
    DocumentStep | BatchStep | OperationStep,
    Step
  >;
}
