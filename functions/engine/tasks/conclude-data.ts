import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, json } from "./shapes.ts";
import { faults } from "./value-shapes.ts";

/**
 * Ends an extraction: removes values that do not fit the schema and fills calculated fields. Without faults the data
 * fits its schema. Throws JobFailure where nothing of the data fits.
 */
export const concludeDataTask = defineTask({
  name: "concludeModelData",
  input: z.object({
    /** UTF-8 JSON. */
    data: bytes,
    schema: json,
    /** The user's schema, with its calculated fields. */
    userSchema: json.exactOptional(),
  }),
  output: z.object({ data: bytes, faults, faultCount: count }),
});
