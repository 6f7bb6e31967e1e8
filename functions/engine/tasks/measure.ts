import * as z from "zod";
import type { PlanRequest } from "../extraction/prompts/extraction-plan.ts";
import type { ReadingOptions } from "../readers/reading.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, shaped } from "./shapes.ts";

/**
 * Measures a document before it is processed: its pages, those that text recognition would read, and the requests that
 * an extraction would make. Throws JobFailure for a document that cannot be read.
 */
export const measureTask = defineTask({
  name: "measure",
  input: z.object({
    bytes,
    options: shaped<ReadingOptions>(z.object({ mimeType: z.string() })),
    /** Absent: no model is asked. */
    request: shaped<PlanRequest>(z.looseObject({})).exactOptional(),
  }),
  output: z.object({
    pages: count,
    pending: count,
    requests: z
      .object({ content: count, requests: count, prompts: count, answer: count, looks: count })
      .exactOptional(),
  }),
});
