import * as z from "zod";
import type { PageContent } from "../extraction/prompts/model-content.ts";
import { defineTask } from "./define-task.ts";
import { bytes, count } from "./shapes.ts";

export interface DocumentParts {
  /** All pages in order; one that is too long for a part stands in several, each with its number. */
  parts: PageContent[][];
  pageCount: number;
}

const parts: z.ZodType<DocumentParts> = z.object({
  parts: z.array(z.array(z.object({ number: count, text: z.string(), scan: z.boolean() }))),
  pageCount: count,
});

/** A document's text in parts that a model's context holds. */
export const readPartsTask = defineTask({
  name: "readParts",
  input: z.object({ layout: bytes, /** Tokens of one part. */ mostTokens: z.number() }),
  output: parts,
});
