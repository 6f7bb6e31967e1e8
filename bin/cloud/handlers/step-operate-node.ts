import { operationTasks } from "../../../functions/engine/analysis/operation-tasks.ts";
import { modelTasks } from "../../../functions/engine/tasks/model.ts";
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
