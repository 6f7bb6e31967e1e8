import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/** Determines a document's type, or a JSON Schema of its data, without a model; UTF-8 JSON. */
export const describeTask = defineTask({
  name: "describe",
  input: z.object({
    layout: bytes,
    request: z.object({ kind: z.enum(["analysis", "schema"]), instructions: z.string().exactOptional() }),
  }),
  output: bytes,
});
