/** Main module of a bundled process of hostile tasks. */
import { serveTasks } from "../../functions/adapters/local/pool/serve-tasks.ts";

await serveTasks(() => import("./hostile-worker.ts"));
