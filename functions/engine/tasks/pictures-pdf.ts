import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes } from "./shapes.ts";
import { ocrLevel, view } from "./view-shapes.ts";

/**
 * Draws pages as pictures into one PDF, for engines that take whole documents. `views` are in the order of its pages;
 * a long page of the document has several. Throws JobFailure.
 */
export const picturesPdfTask = defineTask({
  name: "picturesPdf",
  input: z.object({
    bytes,
    options: z.object({
      mimeType: z.string(),
      pageNumbers: z.array(count),
      level: ocrLevel,
      /** Milliseconds after which no further page is drawn; the pages before it are the answer. Absent: all are drawn. */
      drawingTime: z.number().exactOptional(),
      /** The recognition engine's limits: inches and pixels along a side, bytes and pages of the document. */
      limits: z.object({ maxPageInches: z.number(), maxBytes: z.number(), maxPages: z.number(), maxSide: z.number() }),
    }),
  }),
  output: z.object({ pdf: bytes, views: z.array(z.object(view)) }),
});
