import { nodeTasks } from "../../../functions/engine/nodes/compute-node.ts";
import { computeNode } from "../../../functions/steps/compute-node.ts";
import { documents } from "../documents.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(computeNode, { documents: documents(nodeTasks) });
