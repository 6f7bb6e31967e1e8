import { templateFormat } from "../templates/template-formats.ts";
import { implementTask } from "./define-task.ts";
import { templateFieldsTask } from "./template-fields.ts";

export const run = implementTask(templateFieldsTask, ({ bytes, mimeType }) => templateFormat(mimeType).describe(bytes));
