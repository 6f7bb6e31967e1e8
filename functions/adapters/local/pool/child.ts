/** Main module of a pooled process that runs from the sources. */
import { serveTasks } from "./serve-tasks.ts";

await serveTasks((moduleUrl) => import(moduleUrl));
