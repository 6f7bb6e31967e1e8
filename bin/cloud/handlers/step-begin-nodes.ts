import { beginNodes } from "../../../functions/steps/begin-nodes.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(beginNodes);
