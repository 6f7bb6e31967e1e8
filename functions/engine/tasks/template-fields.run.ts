import { encodeJson } from "../../ports/json.ts";
import type { TemplateField } from "../templates/template.ts";
import { templateFormat } from "../templates/template-formats.ts";
import { templateSchema } from "../templates/template-schema.ts";
import { implementTask } from "./define-task.ts";
import { templateFieldsTask } from "./template-fields.ts";

/** The fields, and those of loops, each with its template's name. */
const named = (templateName: string, fields: readonly TemplateField[]): unknown[] =>
  fields.map((field) => ({ templateName, ...field, fields: named(templateName, field.fields) }));

export const run = implementTask(templateFieldsTask, async ({ bytes, mimeType, templateName }) => {
  const { fields, ...facts } = await (await templateFormat(mimeType)).describe(bytes);
  return {
    ...facts,
    fields: encodeJson(named(templateName, fields)),
    schema: encodeJson(templateSchema(fields)),
  };
});
