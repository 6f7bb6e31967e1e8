import { run as readChunkAnswer } from "../../../functions/engine/tasks/read-chunk-answer.run.ts";
import { run as unreadRows } from "../../../functions/engine/tasks/unread-rows.run.ts";
import { extractChunk } from "../../../functions/steps/extract-chunk.ts";
import { carrying } from "../engine.ts";
import { EXTRACTION_TASKS } from "../extraction-tasks.ts";
import { withFailureSentence } from "../failures.ts";
import { languageModel } from "../model.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";

const parts = {
  documents: carrying(...EXTRACTION_TASKS, readChunkAnswer, unreadRows),
  documentVault,
  model: languageModel,
};

export const handler = withFailureSentence(stepHandler(extractChunk, parts));
