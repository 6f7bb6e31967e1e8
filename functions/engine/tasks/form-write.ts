import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/**
 * Writes definitions of fields into a PDF, and fills the fields that have values. Throws BadRequest for a value that its
 * field does not take, UnprocessableEntity for a PDF that is damaged, needs a password or forbids forms.
 */
export const formWriteTask = defineTask({
  name: "formWrite",
  input: z.object({
    bytes,
    /** UTF-8 JSON of a list. */
    definitions: bytes,
    limits: z.object({
      minConfidence: z.number(),
      maxFieldsPerPage: z.number(),
      pageRange: z.array(z.number()).exactOptional(),
    }),
    /** Values by name or label, UTF-8 JSON of an object. */
    values: bytes.exactOptional(),
  }),
  output: z.object({
    form: bytes,
    /** Metadata of the form, UTF-8 JSON. */
    metadata: bytes,
    /** `{version, fieldDefinitions, pages}`, UTF-8 JSON. */
    definitions: bytes,
    /** `{writtenFieldCount, skippedFields, pages, warnings}`, UTF-8 JSON. */
    report: bytes,
  }),
});
