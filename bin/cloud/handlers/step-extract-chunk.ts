import { modelTasks } from "../../../functions/engine/tasks/model.ts";
import { pictureTasks } from "../../../functions/engine/tasks/pictures.ts";
import { receiptTasks } from "../../../functions/engine/tasks/receipt.ts";
import { textTasks } from "../../../functions/engine/tasks/text.ts";
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
