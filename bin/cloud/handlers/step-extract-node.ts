import { run as read } from "../../../functions/engine/tasks/read.run.ts";
import { extractNode } from "../../../functions/steps/extract-node.ts";
import { carrying } from "../engine.ts";
import { EXTRACTION_TASKS } from "../extraction-tasks.ts";
import { languageModel } from "../model.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(extractNode, {
  documents: carrying(...EXTRACTION_TASKS, read),
  documentVault,
  model: languageModel,
});
