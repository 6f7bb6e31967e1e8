import * as z from "zod";
import type { CheckedData } from "../extraction/answers/check-data.ts";
import type { RecordListSpec } from "../extraction/chunks/record-form.ts";
import type { TextConventions } from "../values/text-conventions.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, json, typed } from "./shapes.ts";
import { faults } from "./value-shapes.ts";

const checked: z.ZodType<CheckedData> = z.object({ data: bytes, faults, faultCount: count, values: z.string() });

/** Corrects data by a model's second answer; undefined where that answer is unreadable or no better. */
export const correctDataTask = defineTask({
  name: "correctModelData",
  input: z.object({
    schema: json,
    conventions: typed<TextConventions>(),
    /** UTF-8 JSON. */
    data: bytes,
    text: z.string(),
    /** Pointers that the answer corrects; absent: the answer is the whole data. */
    pointers: z.array(z.string()).exactOptional(),
    wrapped: z.boolean(),
    list: typed<RecordListSpec>().exactOptional(),
    /** Faults of the first answer; a second answer that is no better is discarded. */
    before: z.object({ faultCount: count, ofWhole: z.boolean() }).exactOptional(),
  }),
  output: checked.optional(),
});
