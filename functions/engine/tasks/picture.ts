import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes, count, ocrLevel, view } from "./shapes.ts";

/** A page as a picture for recognition, or a strip of it. Throws JobFailure. */
export const pictureTask = defineTask({
  name: "picture",
  input: z.object({
    bytes,
    options: z.object({
      mimeType: z.string(),
      /** From 1. */
      pageNumber: count.positive(),
      level: ocrLevel,
      /** Of the picture. */
      maxBytes: z.number().positive(),
      /** Pixels along a side. */
      maxSide: z.number().positive().exactOptional(),
      /** From 0: a strip of a page that is too long for one picture. Absent: the whole page, however small. */
      strip: count.exactOptional(),
    }),
  }),
  output: z.object({ bytes, ...view }),
});
