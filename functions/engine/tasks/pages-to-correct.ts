import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes } from "./shapes.ts";

/** A layout whose recognised text is to be corrected. */
export const recognisedText = z.object({
  layout: bytes,
  /** Treat all words as recognised, also those of a text layer. */
  uncertain: z.boolean().exactOptional(),
});

/** Gives the text of the pages that have recognised words. */
export const pagesToCorrectTask = defineTask({
  name: "pagesToCorrect",
  input: recognisedText,
  output: z.array(z.object({ number: count, text: z.string() })),
});
