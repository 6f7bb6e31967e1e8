/** The shape of corrected text. */
import * as z from "zod";
import { count } from "./shapes.ts";

/** Members of an answer with corrected text. */
export const correctedText = {
  content: z.string(),
  pages: z.array(z.looseObject({ pageNumber: count, content: z.string() })),
};

/** Corrected texts of pages by their number. */
export const proposals = z.record(z.coerce.number(), z.string());
