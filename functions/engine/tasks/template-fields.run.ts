import { encodeJson } from "../../ports/json.ts";
import { templateFormat } from "../templates/template-formats.ts";
import { templateSchema } from "../templates/template-schema.ts";
import { implementTask } from "./define-task.ts";
import { templateFieldsTask } from "./template-fields.ts";

export const run = implementTask(templateFieldsTask, async ({ bytes, mimeType, templateName }) => {
  const { fields, ...facts } = await templateFormat(mimeType).describe(bytes);
  return {
    ...facts,
    fields: encodeJson(fields.map((field) => ({ templateName, ...field }))),
    schema: encodeJson(templateSchema(fields)),
  };
});
