import * as z from "zod";
import type { ReduceRequest } from "../extraction/chunks/reduce-chunks.ts";
import { defineTask } from "./define-task.ts";
import { bytes, count, faults, located, shaped } from "./shapes.ts";

/** The request with the answers as the task of a chunk wrote them. */
interface ReducePayload extends Omit<ReduceRequest, "chunks" | "header"> {
  chunks: { pages: number[]; answer: Uint8Array }[];
  header?: Uint8Array;
}

/** The answers of all chunks as one result with its places; UTF-8 JSON each. */
export const reduceChunkAnswersTask = defineTask({
  name: "reduceChunks",
  input: shaped<ReducePayload>(
    z.looseObject({
      chunks: z.array(z.object({ pages: z.array(count), answer: bytes })),
      header: bytes.exactOptional(),
    }),
  ),
  output: z.object({ result: bytes, sources: bytes, faults, facts: located }),
});
