import * as z from "zod";
import type { PageContent } from "../extraction/prompts/model-content.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes } from "./shapes.ts";

export interface DocumentParts {
  /** All pages in order; a page too long for one part is split over several, each with its page number. */
  parts: PageContent[][];
  pageCount: number;
}

const parts: z.ZodType<DocumentParts> = z.object({
  parts: z.array(z.array(z.object({ number: count, text: z.string(), scan: z.boolean() }))),
  pageCount: count,
});

/** Splits a document's text into parts that fit a model's context. */
export const readPartsTask = defineTask({
  name: "readParts",
  input: z.object({ layout: bytes, /** Tokens of one part. */ maxTokens: z.number() }),
  output: parts,
});
