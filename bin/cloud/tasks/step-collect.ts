/** The tasks that step-collect can ask for. `npm run generate` writes this file. */
import { run as complete } from "../../../functions/engine/tasks/complete.run.ts";
import { run as picture } from "../../../functions/engine/tasks/picture.run.ts";
import { run as picturesPdf } from "../../../functions/engine/tasks/pictures-pdf.run.ts";
import { run as unlock } from "../../../functions/engine/tasks/unlock.run.ts";

export const TASKS = [complete, picture, picturesPdf, unlock];
