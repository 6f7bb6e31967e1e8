import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes, count, faults, json } from "./shapes.ts";

/** The end of an extraction: values that do not fit go, calculated fields come in. Throws JobFailure where nothing of the
 * data fits. No faults: the data fits its schema. */
export const concludeDataTask = defineTask({
  name: "concludeModelData",
  input: z.object({
    /** UTF-8 JSON. */
    data: bytes,
    schema: json,
    /** The user's, with its calculated fields. */
    userSchema: json.exactOptional(),
  }),
  output: z.object({ data: bytes, faults, faultCount: count }),
});
