import * as z from "zod";
import { FIELD_NAME_STYLES } from "../forms/field-definition.ts";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/**
 * Finds the places to write on a PDF's pages, beside the fields that it has already. Throws UnprocessableEntity for a PDF
 * that is damaged, needs a password or forbids forms.
 */
export const formDetectTask = defineTask({
  name: "formDetect",
  input: z.object({
    bytes,
    /** The document's layout file, for the words of scanned pages. */
    layout: bytes.exactOptional(),
    options: z.object({
      fieldNameStyle: z.enum(FIELD_NAME_STYLES),
      minConfidence: z.number(),
      maxFieldsPerPage: z.number(),
      /** From 1; absent: all pages. */
      pageRange: z.array(z.number()).exactOptional(),
    }),
  }),
  /** The definitions, UTF-8 JSON of a list. */
  output: bytes,
});
