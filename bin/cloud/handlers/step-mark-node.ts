import { markNodeStep } from "../../../functions/steps/mark-node.ts";
import { withFailureSentence } from "../failures.ts";
import { stepHandler } from "../step.ts";

export const handler = withFailureSentence(stepHandler(markNodeStep));
