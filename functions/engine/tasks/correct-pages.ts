import * as z from "zod";
import type { CorrectedDocument, SourceMapMode } from "../ocr/correction/correct-document.ts";
import { correctedText, proposals } from "./corrected-text.ts";
import { defineTask } from "./define-task.ts";
import { recognisedText } from "./pages-to-correct.ts";
import { shaped } from "./shapes.ts";

/** Corrects recognised text by proposals; gives the text, and a map back to the words of the page. */
export const correctPagesTask = defineTask({
  name: "correctPages",
  input: recognisedText.extend({ proposals, sourceMap: shaped<SourceMapMode>(z.string()) }),
  output: shaped<CorrectedDocument>(
    z.object({ ...correctedText, sourceMap: z.looseObject({ version: z.literal(1) }).exactOptional() }),
  ),
});
