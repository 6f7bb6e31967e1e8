import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes } from "./shapes.ts";

/** Finds barcodes, figures and the form of a document, as requested; UTF-8 JSON each. Throws JobFailure. */
export const extrasTask = defineTask({
  name: "extras",
  input: z.object({
    bytes,
    layout: bytes,
    options: z.object({
      mimeType: z.string(),
      /** Page numbers from 1; absent: all. */
      pageRange: z.array(count).exactOptional(),
      barcodes: z.boolean(),
      figures: z.boolean(),
      acroForm: z.boolean(),
    }),
  }),
  output: z.object({
    barcodes: bytes.exactOptional(),
    figures: z
      .object({ list: bytes, images: z.array(z.object({ id: z.string(), mimeType: z.string(), bytes })) })
      .exactOptional(),
    acroForm: bytes.exactOptional(),
  }),
});
