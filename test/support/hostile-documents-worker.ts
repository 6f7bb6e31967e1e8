/** The documents' worker, but texts that name a misdeed commit it: what a hostile document would do to its reader. */
import { documentTasks } from "../../functions/engine/tasks/engine.ts";
import { tasks as misdeeds } from "./hostile-worker.ts";

const MISDEEDS: Record<string, () => unknown> = {
  "EAT BUFFERS": misdeeds.buffers,
  SPIN: misdeeds.spin,
  CRASH: misdeeds.segfault,
};

export const tasks = {
  ...documentTasks,
  async read(task: Parameters<typeof documentTasks.read>[0]) {
    const text = Buffer.from(task.bytes.subarray(0, 40)).toString("latin1");
    for (const [name, commit] of Object.entries(MISDEEDS)) if (text.startsWith(name)) await commit();
    return documentTasks.read(task);
  },
};
