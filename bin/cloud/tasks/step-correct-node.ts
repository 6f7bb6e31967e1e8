/** The tasks that step-correct-node can ask for. `npm run generate` writes this file. */
import { run as correctLayout } from "../../../functions/engine/tasks/correct-layout.run.ts";
import { run as correctPages } from "../../../functions/engine/tasks/correct-pages.run.ts";
import { run as pagesToCorrect } from "../../../functions/engine/tasks/pages-to-correct.run.ts";
import { run as read } from "../../../functions/engine/tasks/read.run.ts";
import { run as transcribe } from "../../../functions/engine/tasks/transcribe.run.ts";

export const TASKS = [correctLayout, correctPages, pagesToCorrect, read, transcribe];
