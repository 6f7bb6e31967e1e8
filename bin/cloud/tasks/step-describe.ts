/** The tasks that step-describe can ask for. `npm run generate` writes this file. */
import { run as describe } from "../../../functions/engine/tasks/describe.run.ts";
import { run as readPages } from "../../../functions/engine/tasks/read-pages.run.ts";
import { run as readSchema } from "../../../functions/engine/tasks/read-schema.run.ts";

export const TASKS = [describe, readPages, readSchema];
