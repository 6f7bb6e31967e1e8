import { enrich } from "../../../functions/steps/enrich.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { ownModels } from "../own-models.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-enrich.ts";

export const handler = stepHandler(enrich, {
  documents: carrying(...TASKS),
  documentVault,
  model: languageModel,
  ownModels,
});
