/** Loads every task of the engine from its folder: a new file is a new task. */
import { readdirSync } from "node:fs";
import type { RunnableTask } from "../../engine/tasks/define-task.ts";

const TASKS_FOLDER = new URL("../../engine/tasks/", import.meta.url);

/** Loads `run` of each x.run.ts, which is x.run.js in the package. @throws TypeError for a file without it, or for a duplicate task name */
export async function loadTasks(): Promise<ReadonlyMap<string, RunnableTask>> {
  const files = readdirSync(TASKS_FOLDER).flatMap((name) => /^(.+)\.run\.[jt]s$/.exec(name)?.[1] ?? []);
  // A bundler takes every file of this pattern along.
  const modules = await Promise.all(files.map((name) => import(`../../engine/tasks/${name}.run.ts`)));
  const tasks = new Map<string, RunnableTask>();
  for (const [at, { run: task }] of modules.entries()) {
    if (task === undefined) throw new TypeError(`${files[at]} exports no run`);
    if (tasks.has(task.name)) throw new TypeError(`Two tasks are named ${task.name}`);
    tasks.set(task.name, task);
  }
  return tasks;
}
