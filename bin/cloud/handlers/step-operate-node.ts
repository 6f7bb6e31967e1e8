import { operateNode } from "../../../functions/steps/operate-node.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { ownModels } from "../own-models.ts";
import { documentVault, workQueue } from "../parts.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-operate-node.ts";

export const handler = stepHandler(operateNode, {
  documents: carrying(...TASKS),
  documentVault,
  model: languageModel,
  ownModels,
  queue: workQueue,
});
