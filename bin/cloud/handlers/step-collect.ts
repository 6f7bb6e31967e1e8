import { pictureTasks } from "../../../functions/engine/tasks/pictures.ts";
import { textTasks } from "../../../functions/engine/tasks/text.ts";
import { collect } from "../../../functions/steps/collect.ts";
import { documents } from "../documents.ts";
import { stepHandler } from "../step.ts";
import { textract } from "../textract.ts";

export const handler = stepHandler(collect, { documents: documents({ ...pictureTasks, ...textTasks }), ocr: textract });
