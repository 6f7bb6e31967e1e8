import { settle } from "../../../functions/steps/settle.ts";
import { toldOfFailures } from "../failures.ts";
import { stepHandler } from "../step.ts";

export const handler = toldOfFailures(stepHandler(settle));
