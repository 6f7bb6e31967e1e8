import { markNodeStep } from "../../../functions/steps/mark-node.ts";
import { toldOfFailures } from "../failures.ts";
import { stepHandler } from "../step.ts";

export const handler = toldOfFailures(stepHandler(markNodeStep));
