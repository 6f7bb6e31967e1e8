import { textTasks } from "../../../functions/core/documents/tasks/text.ts";
import { extract } from "../../../functions/steps/extract.ts";
import { documents } from "../documents.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(extract, { documents: documents(textTasks) });
