/** The layout of a task that corrects recognised text. */
import type { TaskInput } from "../../ports/engine.ts";
import type { Layout } from "../../ports/layout.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { blockLines } from "../layout/page-words.ts";
import type { pagesToCorrectTask } from "./pages-to-correct.ts";

/** The layout, all of its words marked as recognised where none is certain. */
export function parseText({ layout: bytes, uncertain = false }: TaskInput<typeof pagesToCorrectTask>): Layout {
  const layout = parseLayout(bytes);
  if (!uncertain) return layout;
  for (const { words } of layout.pages.flatMap(({ blocks }) => blocks.flatMap(blockLines))) {
    for (const word of words) word.source = "ocr";
  }
  return layout;
}
