import { reduce } from "../../../functions/steps/reduce.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { ownModels } from "../own-models.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-reduce.ts";

export const handler = stepHandler(reduce, {
  documents: carrying(...TASKS),
  documentVault,
  model: languageModel,
  ownModels,
});
