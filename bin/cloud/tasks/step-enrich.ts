/** The tasks that step-enrich can ask for. `npm run generate` writes this file. */
import { run as extras } from "../../../functions/engine/tasks/extras.run.ts";
import { run as unlock } from "../../../functions/engine/tasks/unlock.run.ts";

export const TASKS = [extras, unlock];
