/** The shape of corrected text. */
import * as z from "zod";
import { count } from "./number-shapes.ts";
import { shaped } from "./shapes.ts";

/** Members of a task's answer with corrected text. */
export const correctedText = {
  content: z.string(),
  pages: z.array(z.looseObject({ pageNumber: count, content: z.string() })),
};

/** Proposed texts of pages, by page number. */
export const proposals = shaped<Record<number, string>>(z.record(z.string().regex(/^\d+$/), z.string()));
