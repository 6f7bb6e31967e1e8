import { estimateTokens } from "../../ports/llm-tokens.ts";
import { modelContent, type PageContent } from "../extraction/prompts/model-content.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { readPartsTask } from "./read-parts.ts";

/** Tokens of the line that names a page in a prompt. */
const PAGE_HEADING_TOKENS = 20;

/** A page's text in pieces of at most so many tokens each. */
function piecesOf(page: PageContent, mostTokens: number): PageContent[] {
  if (estimateTokens(page.text) <= mostTokens) return [page];
  const half = page.text.length >> 1;
  // Between two lines, or two words, where there are some.
  const line = page.text.indexOf("\n", half);
  const blank = page.text.indexOf(" ", half);
  const near = [line, blank].find((at) => at > 0 && at < half * 1.5) ?? half;
  if (near <= 0) return [page];
  return [page.text.slice(0, near), page.text.slice(near)].flatMap((text) => piecesOf({ ...page, text }, mostTokens));
}

export const run = implementTask(readPartsTask, ({ layout, mostTokens }) => {
  const whole = parseLayout(layout);
  const parts: PageContent[][] = [];
  let room = 0;
  for (const page of modelContent(whole).flatMap((one) => piecesOf(one, mostTokens))) {
    const tokens = estimateTokens(page.text) + PAGE_HEADING_TOKENS;
    if (parts.length === 0 || tokens > room) {
      parts.push([]);
      room = mostTokens;
    }
    parts.at(-1)?.push(page);
    room -= tokens;
  }
  return { parts, pageCount: whole.pageCount };
});
