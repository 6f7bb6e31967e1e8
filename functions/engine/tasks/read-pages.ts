import * as z from "zod";
import type { PageContent } from "../extraction/prompts/model-content.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, shaped } from "./shapes.ts";

export interface ModelPages {
  /** The first pages, as many as fit. */
  pages: PageContent[];
  /** Pages of the whole document. */
  pageCount: number;
}

/** Reads the first pages, as many as fit a model's context. */
export const readPagesTask = defineTask({
  name: "readModelPages",
  input: z.object({ layout: bytes, maxTokens: z.number() }),
  output: shaped<ModelPages>(z.looseObject({ pages: z.array(z.looseObject({})), pageCount: count })),
});
