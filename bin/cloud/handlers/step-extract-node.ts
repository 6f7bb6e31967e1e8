import { modelTasks } from "../../../functions/engine/tasks/model.ts";
import { pictureTasks } from "../../../functions/engine/tasks/pictures.ts";
import { readingTasks } from "../../../functions/engine/tasks/reading.ts";
import { receiptTasks } from "../../../functions/engine/tasks/receipt.ts";
import { textTasks } from "../../../functions/engine/tasks/text.ts";
import { extractNode } from "../../../functions/steps/extract-node.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(extractNode, {
  documents: documents({ ...readingTasks, ...textTasks, ...modelTasks, ...receiptTasks, ...pictureTasks }),
  model: languageModel,
});
