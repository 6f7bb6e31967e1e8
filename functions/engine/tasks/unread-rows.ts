import * as z from "zod";
import type { RecordForm } from "../extraction/chunks/record-form.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, typed } from "./shapes.ts";

/** Counts the rows of the records' list that stand on a chunk's pages though the chunk gave no record. */
export const unreadRowsTask = defineTask({
  name: "unreadRows",
  input: z.object({
    /** The pages of the chunk, and of the last chunk before it that gave records. */
    layout: bytes,
    /** The answer of that chunk; absent where no chunk gave records. */
    before: bytes.exactOptional(),
    /** The answer of the chunk. */
    own: bytes.exactOptional(),
    form: typed<RecordForm>(),
    /** Page numbers of the chunk. */
    pages: z.array(count),
    prompt: z.string().exactOptional(),
  }),
  output: z.object({ rows: count }),
});
