import { markedNode } from "../../../functions/steps/mark-node.ts";
import { withFunctionFailures } from "../failures.ts";
import { stepHandler } from "../step.ts";

export const handler = withFunctionFailures(stepHandler(markedNode));
