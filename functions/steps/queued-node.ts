/** Queued nodes: the work of a node's step, for a Task that waits for a token. */
import { createHash } from "node:crypto";
import type { WorkHandler } from "../service/lifecycle/dispatch.ts";
import { runExtractNode } from "./extract-node.ts";

/** An id of the work that does not reveal the Task's token. */
const taskId = (token: string): string => createHash("sha256").update(token).digest("hex").slice(0, 32);

/** Work handlers by kind. A node that is delivered again is run and counted once. */
export const nodeWork = {
  "extract-node": async (org, { guid, run, node, taskToken }) => {
    if (typeof guid !== "string" || typeof run !== "number" || typeof node !== "string") {
      throw new TypeError("Work on a node names its job, its run and the node");
    }
    const queued = taskToken === undefined ? {} : { queuedTaskId: taskId(taskToken) };
    return { ...(await runExtractNode(org, { guid, run, node, ...queued })) };
  },
} satisfies Record<string, WorkHandler>;
