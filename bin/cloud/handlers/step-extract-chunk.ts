import { modelTasks } from "../../../functions/core/documents/tasks/model.ts";
import { pictureTasks } from "../../../functions/core/documents/tasks/pictures.ts";
import { receiptTasks } from "../../../functions/core/documents/tasks/receipt.ts";
import { textTasks } from "../../../functions/core/documents/tasks/text.ts";
import { extractChunk } from "../../../functions/steps/extract-chunk.ts";
import { documents } from "../documents.ts";
import { toldOfFailures } from "../failures.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

const parts = {
  documents: documents({ ...textTasks, ...modelTasks, ...receiptTasks, ...pictureTasks }),
  model: languageModel,
};

export const handler = toldOfFailures(stepHandler(extractChunk, parts));
