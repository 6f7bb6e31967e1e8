import * as z from "zod";
import type { TaskInput } from "../../ports/engine.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes } from "./shapes.ts";

/** Draws a page as a PNG for viewing. Throws NotFound for a page that the document does not have; JobFailure. */
export const pageImageTask = defineTask({
  name: "pageImage",
  input: z.object({
    bytes,
    options: z.object({
      mimeType: z.string(),
      /** From 0. */
      pageIndex: count,
      /** Values to mark: source locations as UTF-8 JSON, and their pointers; no pointers: all values. */
      marks: z.object({ sources: bytes, pointers: z.array(z.string()) }).exactOptional(),
    }),
  }),
  output: bytes,
});

export type PageImageOptions = TaskInput<typeof pageImageTask>["options"];
