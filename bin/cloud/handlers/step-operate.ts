import { modelTasks } from "../../../functions/core/documents/tasks/model.ts";
import { operationTasks } from "../../../functions/core/operations/work.ts";
import { operate } from "../../../functions/steps/operate.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(operate, {
  documents: documents({ ...modelTasks, ...operationTasks }),
  model: languageModel,
});
