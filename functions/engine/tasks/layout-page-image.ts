import * as z from "zod";
import type { TaskInput } from "../../ports/engine.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes } from "./shapes.ts";

/**
 * Draws a page from its layout as a PNG for viewing. Throws NotFound for a page that the document does not have, or a
 * type whose pages have pictures of their own; JobFailure for a document that cannot be read.
 */
export const layoutPageImageTask = defineTask({
  name: "layoutPageImage",
  input: z.object({
    /** The packed page of a layout as UTF-8 JSON (layout/packed-pages.ts); absent: read from the document. */
    page: bytes.exactOptional(),
    document: z.object({ bytes, mimeType: z.string() }).exactOptional(),
    options: z.object({
      /** From 0. */
      pageIndex: count,
      /** Values to mark, as in the page image of a PDF. */
      marks: z.object({ sources: bytes, pointers: z.array(z.string()) }).exactOptional(),
    }),
  }),
  output: bytes,
});

export type LayoutPageImageInput = TaskInput<typeof layoutPageImageTask>;
