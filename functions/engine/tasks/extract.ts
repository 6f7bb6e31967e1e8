import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes, granularity, json, located } from "./shapes.ts";

/** Layout + schema → result and source locations, both UTF-8 JSON, without a model. */
export const extractTask = defineTask({
  name: "extract",
  input: z.object({
    layout: bytes,
    request: z.object({
      schema: json.exactOptional(),
      prompt: z.string().exactOptional(),
      granularity,
      /** As the extras task wrote them. */
      barcodes: bytes.exactOptional(),
      /** Fills what the document does not have (engine/extraction/rules/given-values.ts). */
      given: json.exactOptional(),
    }),
  }),
  output: z.object({
    result: bytes,
    sources: bytes,
    facts: located,
    /** Pointers of leaves that were filled with what is given, and where it stands there. */
    filled: z.array(z.tuple([z.string(), z.string()])).exactOptional(),
  }),
});
