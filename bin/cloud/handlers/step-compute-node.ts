import { computeNode } from "../../../functions/steps/compute-node.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(computeNode);
