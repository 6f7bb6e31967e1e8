import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes, count } from "./shapes.ts";

/** A layout whose recognised text is to be corrected. */
export const recognisedText = z.object({
  layout: bytes,
  /** None of its words is known to be certain: all are to be corrected as recognised ones are. */
  uncertain: z.boolean().exactOptional(),
});

/** The text of the pages that recognition read. */
export const pagesToCorrectTask = defineTask({
  name: "pagesToCorrect",
  input: recognisedText,
  output: z.array(z.object({ number: count, text: z.string() })),
});
