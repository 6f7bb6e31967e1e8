import * as z from "zod";
import type { RecognisedPages } from "../readers/complete-document.ts";
import { defineTask } from "./define-task.ts";
import { reading } from "./reading-shapes.ts";
import { bytes, shaped } from "./shapes.ts";

/** Merges recognised pages into a reading. Throws JobFailure (no text) for a document that still has no text. */
export const completeTask = defineTask({
  name: "complete",
  input: z.object({
    reading: z.object({ layout: bytes, quality: bytes }),
    recognised: shaped<RecognisedPages>(z.object({ pages: z.array(z.unknown()), engine: z.string() })),
  }),
  output: reading,
});
