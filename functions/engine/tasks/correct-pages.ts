import * as z from "zod";
import type { CorrectedDocument, SourceMapMode } from "../ocr/correction/correct-document.ts";
import { correctedText, proposals } from "./corrected-text.ts";
import { defineTask } from "./define-task.ts";
import { recognisedText } from "./pages-to-correct.ts";
import { shaped } from "./shapes.ts";

/** Recognised text with proposed corrections, and a map back to its words. */
export const correctPagesTask = defineTask({
  name: "correctPages",
  input: recognisedText.extend({ proposals, sourceMap: shaped<SourceMapMode>(z.string()) }),
  output: shaped<CorrectedDocument>(
    z.object({ ...correctedText, sourceMap: z.looseObject({ version: z.literal(1) }).exactOptional() }),
  ),
});
