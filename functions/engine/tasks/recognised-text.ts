/** The layout of tasks that correct recognised text. */
import type { TaskInput } from "../../ports/engine.ts";
import type { Layout } from "../../ports/layout.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { blockLines } from "../layout/page-words.ts";
import type { pagesToCorrectTask } from "./pages-to-correct.ts";

/** Parses the layout; with `uncertain`, marks all its words as recognised. */
export function parseText({ layout: bytes, uncertain = false }: TaskInput<typeof pagesToCorrectTask>): Layout {
  const layout = parseLayout(bytes);
  if (!uncertain) return layout;
  for (const { words } of layout.pages.flatMap(({ blocks }) => blocks.flatMap(blockLines))) {
    for (const word of words) word.source = "ocr";
  }
  return layout;
}
