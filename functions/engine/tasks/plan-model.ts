import * as z from "zod";
import type { ExtractionPlan, PlanRequest } from "../extraction/prompts/extraction-plan.ts";
import { defineTask } from "./define-task.ts";
import { bytes, shaped } from "./shapes.ts";

/** Plans a document's extraction: the requests to a model, fitted to its context. */
export const planModelTask = defineTask({
  name: "planModel",
  input: z.object({ layout: bytes, request: shaped<PlanRequest & { pageRange?: number[] }>(z.looseObject({})) }),
  output: shaped<ExtractionPlan>(
    z.looseObject({ mode: z.enum(["SIMPLE", "STEPS"]), batches: z.array(z.looseObject({})) }),
  ),
});
