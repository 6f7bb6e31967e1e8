import { modelTasks } from "../../../functions/core/documents/tasks/model.ts";
import { reduce } from "../../../functions/steps/reduce.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(reduce, { documents: documents(modelTasks), model: languageModel });
