import * as z from "zod";
import type { Chunk } from "../extraction/chunks/layout-chunks.ts";
import type { RecordForm } from "../extraction/chunks/record-form.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, shaped, typed } from "./shapes.ts";

/** Shares the records of a whole document among its chunks: the answer of each chunk, UTF-8 JSON. */
export const shareRecordsTask = defineTask({
  name: "shareRecords",
  input: z.object({
    /** Result and source locations of the whole document, UTF-8 JSON. */
    result: bytes,
    sources: bytes,
    form: typed<RecordForm>(),
    chunks: shaped<Chunk[]>(z.array(z.looseObject({ pages: z.array(count) }))),
  }),
  output: z.object({ answers: z.array(bytes), records: z.array(count) }),
});
