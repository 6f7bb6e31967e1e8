import { operationTasks } from "../../../functions/engine/analysis/operation-tasks.ts";
import { readingTasks } from "../../../functions/engine/tasks/reading.ts";
import { textTasks } from "../../../functions/engine/tasks/text.ts";
import { correctNode } from "../../../functions/steps/correct-node.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(correctNode, {
  documents: documents({ ...readingTasks, ...textTasks, ...operationTasks }),
  model: languageModel,
});
