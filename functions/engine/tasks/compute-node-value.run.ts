import { computeValue } from "../nodes/compute-node.ts";
import { computeNodeValueTask } from "./compute-node-value.ts";
import { implementTask } from "./define-task.ts";

export const run = implementTask(computeNodeValueTask, (payload) => computeValue(payload));
