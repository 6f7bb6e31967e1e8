import { batchClose } from "../../../functions/steps/batch-close.ts";
import { runStarts } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(batchClose, { ...runStarts });
