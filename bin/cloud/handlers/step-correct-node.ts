import { readingTasks } from "../../../functions/core/documents/tasks/reading.ts";
import { textTasks } from "../../../functions/core/documents/tasks/text.ts";
import { operationTasks } from "../../../functions/core/operations/work.ts";
import { correctNode } from "../../../functions/steps/correct-node.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(correctNode, {
  documents: documents({ ...readingTasks, ...textTasks, ...operationTasks }),
  model: languageModel,
});
