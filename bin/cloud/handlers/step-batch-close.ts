import { batchClose } from "../../../functions/steps/batch-close.ts";
import { stepFunctions } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(batchClose, { workflows: stepFunctions });
