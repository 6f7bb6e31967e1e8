import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";
import { templateLost } from "./template-lost.ts";

/**
 * Lists the fields of a template. Throws UnsupportedMediaType for a format that is no template, UnprocessableEntity for a
 * file that cannot be filled.
 */
export const templateFieldsTask = defineTask({
  name: "templateFields",
  input: z.object({ bytes, mimeType: z.string(), templateName: z.string() }),
  output: z.object({
    /** The fields, each with its template's name: a JSON list, UTF-8. */
    fields: bytes,
    /** A schema of the fields and values that fill them: `TemplateSchema` as JSON, UTF-8. */
    schema: bytes,
    /** Filling appends to the file, so that its signatures stay whole; it cannot be flattened. */
    signed: z.boolean(),
    /** A filled copy has no encryption any more, and none of the owner's restrictions. */
    dropsRestrictions: z.boolean(),
  }),
  lost: templateLost("The fields of the template could not be read"),
});
