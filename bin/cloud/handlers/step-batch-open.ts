import { batchOpen } from "../../../functions/steps/batch-open.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(batchOpen);
