import * as z from "zod";
import type { RecordForm } from "../extraction/chunks/record-form.ts";
import { defineTask } from "./define-task.ts";
import { bytes, count, faults, typed } from "./shapes.ts";

/** The records of one chunk, or of the header, with where their values stand. */
export const readChunkAnswerTask = defineTask({
  name: "readChunkAnswer",
  input: z.object({
    /** UTF-8 JSON, as extraction wrote them. */
    result: bytes,
    sources: bytes,
    faults,
    form: typed<RecordForm>(),
    header: z.boolean(),
    /** By page number: words of it that stand before the chunk. */
    skipped: z.array(z.tuple([count, count])),
  }),
  output: z.object({ answer: bytes, records: count }),
});
