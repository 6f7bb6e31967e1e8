import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes, json } from "./shapes.ts";
import { granularity, located } from "./value-shapes.ts";

/** Locates the values of a result on the pages, UTF-8 JSON, and judges their confidence. */
export const locateTask = defineTask({
  name: "locate",
  input: z.object({
    layout: bytes,
    /** UTF-8 JSON. */
    result: bytes,
    request: z.object({ granularity, schema: json.exactOptional(), acroForm: bytes.exactOptional() }),
  }),
  output: z.object({ sources: bytes, facts: located }),
});
