/** Main module of a bundled engine process: one file with everything that it runs. */
import { serveTasks } from "./pool/serve-tasks.ts";

export const serving = serveTasks(() => import("./engine-worker.ts"));
