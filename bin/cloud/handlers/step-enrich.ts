import { extrasTasks } from "../../../functions/engine/tasks/extras.ts";
import { enrich } from "../../../functions/steps/enrich.ts";
import { documents } from "../documents.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(enrich, { documents: documents(extrasTasks), model: languageModel });
