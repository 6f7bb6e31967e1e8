import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/** Writes a layout as text in one of three output formats, UTF-8. */
export const transcribeTask = defineTask({
  name: "transcribe",
  input: z.object({ layout: bytes, format: z.enum(["plain", "markdown", "jsonl"]) }),
  output: bytes,
});
