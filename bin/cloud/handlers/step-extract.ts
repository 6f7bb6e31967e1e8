import { modelTasks } from "../../../functions/engine/tasks/model.ts";
import { pictureTasks } from "../../../functions/engine/tasks/pictures.ts";
import { receiptTasks } from "../../../functions/engine/tasks/receipt.ts";
import { textTasks } from "../../../functions/engine/tasks/text.ts";
import { extract } from "../../../functions/steps/extract.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(extract, {
  documents: documents({ ...textTasks, ...modelTasks, ...receiptTasks, ...pictureTasks }),
  model: languageModel,
});
