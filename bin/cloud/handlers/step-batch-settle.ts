import { batchSettle } from "../../../functions/steps/batch-settle.ts";
import { runOpenings, workQueue } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(batchSettle, { ...runOpenings, queue: workQueue });
