import { estimateTokens } from "../../ports/llm-tokens.ts";
import { modelContent, type PageContent } from "../extraction/prompts/model-content.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { readPagesTask } from "./read-pages.ts";

export const run = implementTask(readPagesTask, ({ layout, mostTokens }) => {
  const whole = parseLayout(layout);
  const pages: PageContent[] = [];
  let room = mostTokens;
  for (const page of modelContent(whole)) {
    room -= estimateTokens(page.text);
    if (room < 0) break;
    pages.push(page);
  }
  return { pages, pageCount: whole.pageCount };
});
