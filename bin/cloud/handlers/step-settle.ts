import { settle } from "../../../functions/steps/settle.ts";
import { toldOfFailures } from "../failures.ts";
import { workQueue } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = toldOfFailures(stepHandler(settle, { queue: workQueue }));
