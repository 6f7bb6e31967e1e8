import { pictureTasks } from "../../../functions/engine/tasks/pictures.ts";
import { readingTasks } from "../../../functions/engine/tasks/reading.ts";
import { textTasks } from "../../../functions/engine/tasks/text.ts";
import { recognize } from "../../../functions/steps/recognize.ts";
import { documents } from "../documents.ts";
import { stepHandler } from "../step.ts";
import { textract } from "../textract.ts";

export const handler = stepHandler(recognize, {
  documents: documents({ ...readingTasks, ...pictureTasks, ...textTasks }),
  ocr: textract,
});
