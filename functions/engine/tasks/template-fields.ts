import * as z from "zod";
import type { TemplateField } from "../templates/template.ts";
import { defineTask } from "./define-task.ts";
import { bytes, typed } from "./shapes.ts";

/**
 * Lists the fields of a template. Throws UnsupportedMediaType for a format that is no template, UnprocessableEntity for a
 * file that cannot be filled.
 */
export const templateFieldsTask = defineTask({
  name: "templateFields",
  input: z.object({ bytes, mimeType: z.string() }),
  output: z.object({
    fields: typed<TemplateField[]>(),
    /** Filling appends to the file, so that its signatures stay whole; it cannot be flattened. */
    signed: z.boolean(),
    /** A filled copy has no encryption any more, and none of the owner's restrictions. */
    dropsRestrictions: z.boolean(),
  }),
});
