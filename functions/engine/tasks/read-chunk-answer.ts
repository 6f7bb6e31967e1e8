import * as z from "zod";
import type { RecordForm } from "../extraction/chunks/record-form.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, typed } from "./shapes.ts";
import { faults, rejectedRows, statedLimits } from "./value-shapes.ts";

/** Gives the records of one chunk, or of the header, with their source locations. */
export const readChunkAnswerTask = defineTask({
  name: "readChunkAnswer",
  input: z.object({
    /** Result and source locations of the extraction, UTF-8 JSON. */
    result: bytes,
    sources: bytes,
    faults,
    form: typed<RecordForm>(),
    header: z.boolean(),
    /** Page numbers, each with the number of its words before the chunk. */
    skipped: z.array(z.tuple([count, count])),
    /** Text before the chunk that the model was given. */
    before: z.string().exactOptional(),
    /** Rows that the model left out, and why. */
    statements: z
      .object({ stated: statedLimits.exactOptional(), declined: rejectedRows.exactOptional() })
      .exactOptional(),
  }),
  output: z.object({ answer: bytes, records: count }),
});
