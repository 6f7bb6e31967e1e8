import * as z from "zod";
import type { ReducedForm } from "../extraction/chunks/recalculate.ts";
import { defineTask } from "./define-task.ts";
import { share } from "./number-shapes.ts";
import { bytes, json, typed } from "./shapes.ts";
import { located } from "./value-shapes.ts";

/**
 * Makes values below a confidence null (engine/confidence/withhold-unsure.ts), fills fields from the given data, and
 * computes the formulas of the data that remains.
 */
export const withholdTask = defineTask({
  name: "withhold",
  input: z.object({
    /** UTF-8 JSON. */
    result: bytes,
    /** Source locations with confidences. */
    sources: bytes,
    request: z.object({
      minConfidence: share,
      schema: json.exactOptional(),
      /** Values for fields that the document does not have (engine/extraction/rules/given-values.ts). */
      given: json.exactOptional(),
      /** For a result of chunks, in place of `schema`. */
      reduced: typed<ReducedForm>().exactOptional(),
    }),
  }),
  output: z.object({
    result: bytes,
    sources: bytes,
    /** Present where values were withheld. */
    facts: located.exactOptional(),
    /** Leaves filled from `given`: their pointers, each with the pointer of its value in `given`. */
    filled: z.array(z.tuple([z.string(), z.string()])).exactOptional(),
  }),
});
