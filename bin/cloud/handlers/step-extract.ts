import { modelTasks } from "../../../functions/core/documents/tasks/model.ts";
import { pictureTasks } from "../../../functions/core/documents/tasks/pictures.ts";
import { receiptTasks } from "../../../functions/core/documents/tasks/receipt.ts";
import { textTasks } from "../../../functions/core/documents/tasks/text.ts";
import { extract } from "../../../functions/steps/extract.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(extract, {
  documents: documents({ ...textTasks, ...modelTasks, ...receiptTasks, ...pictureTasks }),
  model: languageModel,
});
