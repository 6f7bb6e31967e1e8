import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/** Determines a document's type, a JSON Schema of its data, or its summary, without a model; UTF-8 JSON. */
export const describeTask = defineTask({
  name: "describe",
  input: z.object({
    layout: bytes,
    request: z.object({ kind: z.enum(["analysis", "schema", "summary"]), instructions: z.string().exactOptional() }),
  }),
  output: bytes,
});
