import * as z from "zod";
import type { CheckedData } from "../extraction/answers/check-data.ts";
import type { RecordListSpec } from "../extraction/chunks/record-form.ts";
import type { TextConventions } from "../values/text-conventions.ts";
import { defineTask } from "./define-task.ts";
import { bytes, count, faults, json, typed } from "./shapes.ts";

const checked: z.ZodType<CheckedData> = z.object({ data: bytes, faults, faultCount: count, values: z.string() });

/** A second answer put in the place of the first; undefined where it is no use. */
export const correctDataTask = defineTask({
  name: "correctModelData",
  input: z.object({
    schema: json,
    conventions: typed<TextConventions>(),
    /** UTF-8 JSON. */
    data: bytes,
    text: z.string(),
    /** The answer is corrections of these pointers; absent: it is the whole data again. */
    asked: z.array(z.string()).exactOptional(),
    wrapped: z.boolean(),
    list: typed<RecordListSpec>().exactOptional(),
    /** Faults of the data that the answer is to mend: one that does not is no use. */
    before: z.object({ faultCount: count, ofWhole: z.boolean() }).exactOptional(),
  }),
  output: checked.optional(),
});
