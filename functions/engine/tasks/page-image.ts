import * as z from "zod";
import type { TaskInput } from "../../ports/engine.ts";
import { defineTask } from "./define-task.ts";
import { bytes, count } from "./shapes.ts";

/** A page as a PNG to look at. Throws NotFound when there is no such page, JobFailure. */
export const pageImageTask = defineTask({
  name: "pageImage",
  input: z.object({
    bytes,
    options: z.object({
      mimeType: z.string(),
      /** From 0. */
      pageIndex: count,
      /** Values to mark: source locations as UTF-8 JSON, and which of their pointers; none named: all. */
      marks: z.object({ sources: bytes, pointers: z.array(z.string()) }).exactOptional(),
    }),
  }),
  output: bytes,
});

export type PageImageOptions = TaskInput<typeof pageImageTask>["options"];
