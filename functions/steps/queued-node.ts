/** Nodes that come through a queue: the same work as the step's, for a Task that waits for it. */
import { createHash } from "node:crypto";
import type { WorkHandler } from "../service/lifecycle/dispatch.ts";
import { workExtractNode } from "./extract-node.ts";

/** Names the piece of work without giving away what answers its Task. */
const taskId = (token: string): string => createHash("sha256").update(token).digest("hex").slice(0, 32);

/** By the kind of the work. A node that is delivered again is done once, and counts once. */
export const nodeWork = {
  "extract-node": async (org, { guid, run, node, taskToken }) => {
    if (typeof guid !== "string" || typeof run !== "number" || typeof node !== "string") {
      throw new TypeError("Work on a node names its job, its run and the node");
    }
    const queued = taskToken === undefined ? {} : { queuedTaskId: taskId(taskToken) };
    return { ...(await workExtractNode(org, { guid, run, node, ...queued })) };
  },
} satisfies Record<string, WorkHandler>;
