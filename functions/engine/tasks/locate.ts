import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes, granularity, json, located } from "./shapes.ts";

/** Where the values of a result stand on the page, UTF-8 JSON, and how sure they are. */
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
