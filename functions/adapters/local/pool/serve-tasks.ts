/**
 * The life of a pooled process: starts the watchdog, loads the tasks, then runs them one at a time.
 * Arguments: the tasks' module (a URL), the service's process id, the hard memory limit in bytes.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { errorToData, type PoolTasks, type TaskMessage, type WorkerMessage } from "./protocol.ts";
import { MEMORY_MARK } from "./worker-killed.ts";

const send = (message: WorkerMessage): void => {
  // A failed send means that the service is gone; "disconnect" follows.
  process.send?.(message, undefined, {}, () => undefined);
};

/** Starts the thread that ends this process at its hard limit. @returns resolves when it watches */
function startWatchdog(parentPid: number, hardLimitBytes: number): Promise<void> {
  const watchdog = new Worker(new URL("./watchdog.mjs", import.meta.url), {
    workerData: { parentPid, hardLimitBytes, memoryMark: MEMORY_MARK },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
    env: {},
  });
  watchdog.on("error", () => process.exit(1)); // never run unwatched
  return once(watchdog, "message").then(() => watchdog.unref());
}

async function answer(tasks: PoolTasks, { id, task, payload }: TaskMessage): Promise<void> {
  try {
    const run = Object.hasOwn(tasks, task) ? tasks[task] : undefined;
    if (run === undefined) throw new TypeError("There is no such task");
    send({ type: "answer", id, value: await run(payload as never) });
  } catch (error) {
    send({ type: "failure", id, error: errorToData(error) });
  }
}

/**
 * Serves the tasks of a module until the service is gone.
 * @param load imports the module, whose URL it is given @throws TypeError for a module without tasks
 */
export async function serveTasks(
  load: (moduleUrl: string) => Promise<{ tasks?: PoolTasks | Promise<PoolTasks> }>,
): Promise<void> {
  const [moduleUrl = "", parentPid, hardLimitBytes] = process.argv.slice(2);
  // A terminal's Ctrl-C and a service manager's SIGTERM reach the whole group; the service decides when its work ends.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.on("disconnect", () => process.exit(0));
  const watching = startWatchdog(Number(parentPid), Number(hardLimitBytes)); // independently of the import below
  const tasks = await (await load(moduleUrl)).tasks;
  if (tasks === undefined) throw new TypeError(`${moduleUrl} exports no tasks`);
  await watching;
  process.on("message", (message: TaskMessage) => void answer(tasks, message));
  send({ type: "ready" });
}
