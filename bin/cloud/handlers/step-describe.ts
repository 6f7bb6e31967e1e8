import { describe } from "../../../functions/steps/describe.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { ownModels } from "../own-models.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-describe.ts";

export const handler = stepHandler(describe, {
  documents: carrying(...TASKS),
  documentVault,
  model: languageModel,
  ownModels,
});
