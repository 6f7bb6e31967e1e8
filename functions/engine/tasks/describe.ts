import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/** A document's kind, or a JSON Schema of what it states, without a model; UTF-8 JSON. */
export const describeTask = defineTask({
  name: "describe",
  input: z.object({
    layout: bytes,
    request: z.object({ what: z.enum(["analysis", "schema"]), instructions: z.string().exactOptional() }),
  }),
  output: bytes,
});
