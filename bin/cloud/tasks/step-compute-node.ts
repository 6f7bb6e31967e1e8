/** The tasks that step-compute-node can ask for. `npm run generate` writes this file. */
import { run as computeNodeValue } from "../../../functions/engine/tasks/compute-node-value.run.ts";

export const TASKS = [computeNodeValue];
