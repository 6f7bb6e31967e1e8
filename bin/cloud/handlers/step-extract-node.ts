import { extractNode } from "../../../functions/steps/extract-node.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { ownModels } from "../own-models.ts";
import { documentVault } from "../parts.ts";
import { passages } from "../passages.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-extract-node.ts";

export const handler = stepHandler(extractNode, {
  documents: carrying(...TASKS),
  documentVault,
  model: languageModel,
  passages,
  ownModels,
});
