/**
 * The engine's worker, except that texts can name a misdeed to commit: the effects of a hostile document on its reader.
 */
import { tasks as ownTasks } from "../../functions/adapters/local/engine-worker.ts";
import { readTask } from "../../functions/engine/tasks/read.ts";
import type { TaskInput } from "../../functions/ports/engine.ts";
import { tasks as misdeeds } from "./hostile-worker.ts";

const MISDEEDS: Record<string, () => unknown> = {
  "EAT BUFFERS": misdeeds.buffers,
  SPIN: misdeeds.spin,
  CRASH: misdeeds.segfault,
};

const engineTasks = await ownTasks;

export const tasks = {
  ...engineTasks,
  async [readTask.name](payload: TaskInput<typeof readTask>) {
    const text = Buffer.from(payload.bytes.subarray(0, 40)).toString("latin1");
    for (const [name, commit] of Object.entries(MISDEEDS)) if (text.startsWith(name)) await commit();
    return engineTasks[readTask.name]?.(payload as never);
  },
};
