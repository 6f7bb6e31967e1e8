import { operationTasks } from "../../../functions/engine/analysis/operation-tasks.ts";
import { modelTasks } from "../../../functions/engine/tasks/model.ts";
import { operate } from "../../../functions/steps/operate.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(operate, {
  documents: documents({ ...modelTasks, ...operationTasks }),
  model: languageModel,
});
