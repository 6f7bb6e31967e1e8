/** The engine's worker, except that texts can make their inspection slow. */
import { tasks as ownTasks } from "../../functions/adapters/local/engine-worker.ts";
import { inspectTask } from "../../functions/engine/tasks/inspect.ts";
import type { TaskInput } from "../../functions/ports/engine.ts";

const SLOW_MS = 150;

const engineTasks = await ownTasks;

export const tasks = {
  ...engineTasks,
  async [inspectTask.name](payload: TaskInput<typeof inspectTask>) {
    const isSlow = Buffer.from(payload.bytes.subarray(0, 4)).toString("latin1") === "SLOW";
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    return engineTasks[inspectTask.name]?.(payload as never);
  },
};
