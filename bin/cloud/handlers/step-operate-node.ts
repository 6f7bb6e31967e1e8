import { modelTasks } from "../../../functions/core/documents/tasks/model.ts";
import { operationTasks } from "../../../functions/core/operations/work.ts";
import { operateNode } from "../../../functions/steps/operate-node.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { workQueue } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(operateNode, {
  documents: documents({ ...modelTasks, ...operationTasks }),
  model: languageModel,
  queue: workQueue,
});
