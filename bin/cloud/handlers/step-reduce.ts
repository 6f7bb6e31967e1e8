import { modelTasks } from "../../../functions/engine/tasks/model.ts";
import { receiptTasks } from "../../../functions/engine/tasks/receipt.ts";
import { reduce } from "../../../functions/steps/reduce.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(reduce, {
  documents: documents({ ...modelTasks, ...receiptTasks }),
  model: languageModel,
});
