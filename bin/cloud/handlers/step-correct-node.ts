import { correctNode } from "../../../functions/steps/correct-node.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { ownModels } from "../own-models.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-correct-node.ts";

export const handler = stepHandler(correctNode, {
  documents: carrying(...TASKS),
  documentVault,
  model: languageModel,
  ownModels,
});
