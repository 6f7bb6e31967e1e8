import { batchClose } from "../../../functions/steps/batch-close.ts";
import { runOpenings } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(batchClose, { ...runOpenings });
