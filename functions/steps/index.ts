import type { DocumentStep } from "../../statemachines/document.ts";
import type { Organization } from "../core/organizations/organization.ts";
import type { Step } from "../core/ports.ts";
import { chunk } from "./chunk.ts";
import { collect } from "./collect.ts";
import { describe } from "./describe.ts";
import { enrich } from "./enrich.ts";
import { extract } from "./extract.ts";
import { extractChunk } from "./extract-chunk.ts";
import { recognize } from "./recognize.ts";
import { reduce } from "./reduce.ts";
import { settle } from "./settle.ts";
import type { StepDefinition } from "./step.ts";
import { transcribe } from "./transcribe.ts";

const STEPS: Record<DocumentStep, StepDefinition> = {
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
};

/** Every step by the name that the machines call it by. */
export function makeSteps(organization: (id: number) => Organization): Record<DocumentStep, Step> {
  return Object.fromEntries(Object.entries(STEPS).map(([name, define]) => [name, define(organization)])) as Record<
    DocumentStep,
    Step
  >;
}
