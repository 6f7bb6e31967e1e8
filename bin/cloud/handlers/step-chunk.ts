import { modelTasks } from "../../../functions/engine/tasks/model.ts";
import { chunk } from "../../../functions/steps/chunk.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(chunk, { documents: documents(modelTasks), model: languageModel });
