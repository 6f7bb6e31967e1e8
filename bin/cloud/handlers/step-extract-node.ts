import { modelTasks } from "../../../functions/core/documents/tasks/model.ts";
import { pictureTasks } from "../../../functions/core/documents/tasks/pictures.ts";
import { readingTasks } from "../../../functions/core/documents/tasks/reading.ts";
import { receiptTasks } from "../../../functions/core/documents/tasks/receipt.ts";
import { textTasks } from "../../../functions/core/documents/tasks/text.ts";
import { extractNode } from "../../../functions/steps/extract-node.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(extractNode, {
  documents: documents({ ...readingTasks, ...textTasks, ...modelTasks, ...receiptTasks, ...pictureTasks }),
  model: languageModel,
});
