import { settle } from "../../../functions/steps/settle.ts";
import { withFailureSentence } from "../failures.ts";
import { workQueue } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = withFailureSentence(stepHandler(settle, { queue: workQueue }));
