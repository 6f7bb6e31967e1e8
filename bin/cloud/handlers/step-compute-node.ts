import { computeNode } from "../../../functions/steps/compute-node.ts";
import { carrying } from "../engine.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-compute-node.ts";

export const handler = stepHandler(computeNode, { documents: carrying(...TASKS) });
