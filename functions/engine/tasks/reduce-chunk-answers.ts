import * as z from "zod";
import type { ReduceRequest } from "../extraction/chunks/reduce-chunks.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, shaped } from "./shapes.ts";
import { faults, located, rejectedRows, statedLimits } from "./value-shapes.ts";

/** A reduce request with the encoded answers of the chunks. */
interface ReducePayload extends Omit<ReduceRequest, "chunks" | "header"> {
  chunks: { pages: number[]; answer: Uint8Array }[];
  header?: Uint8Array;
}

/** Merges the answers of all chunks into one result with its source locations; UTF-8 JSON each. */
export const reduceChunkAnswersTask = defineTask({
  name: "reduceChunks",
  input: shaped<ReducePayload>(
    z.looseObject({
      chunks: z.array(z.object({ pages: z.array(count), answer: bytes })),
      header: bytes.exactOptional(),
    }),
  ),
  output: z.object({
    result: bytes,
    sources: bytes,
    faults,
    facts: located,
    /** Rows that the model left out of chunks, and why. */
    statements: z.object({ stated: statedLimits, declined: rejectedRows }),
  }),
});
