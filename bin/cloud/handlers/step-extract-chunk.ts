import { extractChunk } from "../../../functions/steps/extract-chunk.ts";
import { carrying } from "../engine.ts";
import { withFailureSentence } from "../failures.ts";
import { languageModel } from "../model.ts";
import { ownModels } from "../own-models.ts";
import { documentVault } from "../parts.ts";
import { passages } from "../passages.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-extract-chunk.ts";

const parts = {
  documents: carrying(...TASKS),
  documentVault,
  model: languageModel,
  passages,
  ownModels,
};

export const handler = withFailureSentence(stepHandler(extractChunk, parts));
