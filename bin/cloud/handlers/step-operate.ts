import { operate } from "../../../functions/steps/operate.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { ownModels } from "../own-models.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-operate.ts";

export const handler = stepHandler(operate, {
  documents: carrying(...TASKS),
  documentVault,
  model: languageModel,
  ownModels,
});
