import { sheetTasks } from "../../../functions/engine/tasks/sheets.ts";
import { textTasks } from "../../../functions/engine/tasks/text.ts";
import { transcribe } from "../../../functions/steps/transcribe.ts";
import { documents } from "../documents.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(transcribe, { documents: documents({ ...textTasks, ...sheetTasks }) });
