import * as z from "zod";
import type { Explanation } from "../extraction/rules/extract-offline.ts";
import { defineTask } from "./define-task.ts";
import { bytes, json, typed } from "./shapes.ts";
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
      /** Say how each value was looked for. */
      explain: z.boolean().exactOptional(),
    }),
  }),
  output: z.object({
    result: bytes,
    sources: bytes,
    facts: located,
    explanations: typed<Explanation[]>().exactOptional(),
  }),
});
