import { run as computeNodeValue } from "../../../functions/engine/tasks/compute-node-value.run.ts";
import { computeNode } from "../../../functions/steps/compute-node.ts";
import { carrying } from "../engine.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(computeNode, { documents: carrying(computeNodeValue) });
