import * as z from "zod";
import type { PageContent } from "../extraction/prompts/model-content.ts";
import { defineTask } from "./define-task.ts";
import { bytes, count, shaped } from "./shapes.ts";

export interface ModelPages {
  /** From the first, as many as there is room for. */
  pages: PageContent[];
  /** Pages of the document. */
  pageCount: number;
}

/** The leading pages that a model's context holds. */
export const readPagesTask = defineTask({
  name: "readModelPages",
  input: z.object({ layout: bytes, mostTokens: z.number() }),
  output: shaped<ModelPages>(z.looseObject({ pages: z.array(z.looseObject({})), pageCount: count })),
});
