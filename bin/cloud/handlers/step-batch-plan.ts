import { batchPlan } from "../../../functions/steps/batch-plan.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(batchPlan);
