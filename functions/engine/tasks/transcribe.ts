import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/** Layout → text in one of the three output formats, UTF-8. */
export const transcribeTask = defineTask({
  name: "transcribe",
  input: z.object({ layout: bytes, format: z.enum(["plain", "markdown", "jsonl"]) }),
  output: bytes,
});
