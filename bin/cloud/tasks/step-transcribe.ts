/** The tasks that step-transcribe can ask for. `npm run generate` writes this file. */
import { run as cells } from "../../../functions/engine/tasks/cells.run.ts";
import { run as transcribe } from "../../../functions/engine/tasks/transcribe.run.ts";

export const TASKS = [cells, transcribe];
