import { estimateTokens } from "../../ports/llm-tokens.ts";
import { modelContent, type PageContent } from "../extraction/prompts/model-content.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { readPagesTask } from "./read-pages.ts";

export const run = implementTask(readPagesTask, ({ layout, maxTokens }) => {
  const whole = parseLayout(layout);
  const pages: PageContent[] = [];
  let tokensLeft = maxTokens;
  for (const page of modelContent(whole)) {
    tokensLeft -= estimateTokens(page.text);
    if (tokensLeft < 0) break;
    pages.push(page);
  }
  return { pages, pageCount: whole.pageCount };
});
