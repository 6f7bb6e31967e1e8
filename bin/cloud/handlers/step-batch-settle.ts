import { batchSettle } from "../../../functions/steps/batch-settle.ts";
import { runStarts, workQueue } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(batchSettle, { ...runStarts, queue: workQueue });
