import { chunk } from "../../../functions/steps/chunk.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { ownModels } from "../own-models.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-chunk.ts";

export const handler = stepHandler(chunk, {
  documents: carrying(...TASKS),
  documentVault,
  model: languageModel,
  ownModels,
});
