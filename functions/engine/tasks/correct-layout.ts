import * as z from "zod";
import type { CorrectedDocument } from "../ocr/correction/correct-document.ts";
import { correctedText, proposals } from "./corrected-text.ts";
import { defineTask } from "./define-task.ts";
import { recognisedText } from "./pages-to-correct.ts";
import { bytes, shaped } from "./shapes.ts";

interface CorrectedLayout extends Pick<CorrectedDocument, "content" | "pages"> {
  layout: Uint8Array;
}

/** Corrects recognised text; gives the text, and the layout with it in the original positions. */
export const correctLayoutTask = defineTask({
  name: "correctLayout",
  input: recognisedText.extend({ proposals }),
  output: shaped<CorrectedLayout>(z.object({ ...correctedText, layout: bytes })),
});
