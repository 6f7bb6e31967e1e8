import { run as readChunkAnswer } from "../../../functions/engine/tasks/read-chunk-answer.run.ts";
import { extractChunk } from "../../../functions/steps/extract-chunk.ts";
import { engineWithTasks } from "../engine.ts";
import { EXTRACTION_TASKS } from "../extraction-tasks.ts";
import { withFunctionFailures } from "../failures.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

const parts = {
  documents: engineWithTasks(...EXTRACTION_TASKS, readChunkAnswer),
  model: languageModel,
};

export const handler = withFunctionFailures(stepHandler(extractChunk, parts));
