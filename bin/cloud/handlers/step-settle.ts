import { settle } from "../../../functions/steps/settle.ts";
import { withFunctionFailures } from "../failures.ts";
import { workQueue } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = withFunctionFailures(stepHandler(settle, { queue: workQueue }));
