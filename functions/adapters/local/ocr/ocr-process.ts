/** Main module of a bundled recognition process: one file with everything that it runs. */
import { serveTasks } from "../pool/serve-tasks.ts";

await serveTasks(() => import("./ocr-worker.ts"));
