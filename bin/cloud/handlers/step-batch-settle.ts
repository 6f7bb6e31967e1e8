import { batchSettle } from "../../../functions/steps/batch-settle.ts";
import { stepFunctions, workQueue } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(batchSettle, { workflows: stepFunctions, queue: workQueue });
