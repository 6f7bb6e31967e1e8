import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes } from "./shapes.ts";
import { ocrLevel, view } from "./view-shapes.ts";

/** Draws a page, or a strip of it, as a picture for recognition. Throws JobFailure. */
export const pictureTask = defineTask({
  name: "picture",
  input: z.object({
    bytes,
    options: z.object({
      mimeType: z.string(),
      /** From 1. */
      pageNumber: count.positive(),
      level: ocrLevel,
      /** Bytes of the picture. */
      maxBytes: z.number().positive(),
      /** Pixels along a side. */
      maxSide: z.number().positive().exactOptional(),
      /** Index from 0 of a strip of a page that is too long for one picture. Absent: the whole page in one picture. */
      strip: count.exactOptional(),
    }),
  }),
  output: z.object({ bytes, ...view }),
});
