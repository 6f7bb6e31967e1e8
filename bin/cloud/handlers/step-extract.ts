import { extract } from "../../../functions/steps/extract.ts";
import { carrying } from "../engine.ts";
import { EXTRACTION_TASKS } from "../extraction-tasks.ts";
import { languageModel } from "../model.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(extract, {
  documents: carrying(...EXTRACTION_TASKS),
  documentVault,
  model: languageModel,
});
