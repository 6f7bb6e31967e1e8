import { modelTasks } from "../../../functions/engine/tasks/model.ts";
import { textTasks } from "../../../functions/engine/tasks/text.ts";
import { describe } from "../../../functions/steps/describe.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(describe, {
  documents: documents({ ...textTasks, ...modelTasks }),
  model: languageModel,
});
