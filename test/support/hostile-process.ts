/** Main module of a bundled process of hostile tasks. */
import { serveTasks } from "../../functions/adapters/local/pool/serve-tasks.ts";

export const serving = serveTasks(() => import("./hostile-worker.ts"));
