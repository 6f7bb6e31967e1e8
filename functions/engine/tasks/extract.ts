import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes, json } from "./shapes.ts";
import { granularity, located } from "./value-shapes.ts";

/** Extracts data by rules, without a model: layout and schema → result and source locations, both UTF-8 JSON. */
export const extractTask = defineTask({
  name: "extract",
  input: z.object({
    layout: bytes,
    request: z.object({
      schema: json.exactOptional(),
      prompt: z.string().exactOptional(),
      granularity,
      /** Barcodes as the extras task wrote them. */
      barcodes: bytes.exactOptional(),
    }),
  }),
  output: z.object({ result: bytes, sources: bytes, facts: located }),
});
