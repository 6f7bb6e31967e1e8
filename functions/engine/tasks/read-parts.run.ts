import { estimateTokens } from "../../ports/llm-tokens.ts";
import { modelContent, type PageContent } from "../extraction/prompts/model-content.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { readPartsTask } from "./read-parts.ts";

/** Tokens of a page's heading line in a prompt. */
const PAGE_HEADING_TOKENS = 20;

/** Splits a page's text into pieces of at most `maxTokens` tokens. */
function piecesOf(page: PageContent, maxTokens: number): PageContent[] {
  if (estimateTokens(page.text) <= maxTokens) return [page];
  const half = page.text.length >> 1;
  // Split between two lines or words where possible.
  const line = page.text.indexOf("\n", half);
  const blank = page.text.indexOf(" ", half);
  const splitAt = [line, blank].find((at) => at > 0 && at < half * 1.5) ?? half;
  if (splitAt <= 0) return [page];
  return [page.text.slice(0, splitAt), page.text.slice(splitAt)].flatMap((text) =>
    piecesOf({ ...page, text }, maxTokens),
  );
}

export const run = implementTask(readPartsTask, ({ layout, maxTokens }) => {
  const whole = parseLayout(layout);
  const parts: PageContent[][] = [];
  let tokensLeft = 0;
  for (const page of modelContent(whole).flatMap((one) => piecesOf(one, maxTokens))) {
    const tokens = estimateTokens(page.text) + PAGE_HEADING_TOKENS;
    if (parts.length === 0 || tokens > tokensLeft) {
      parts.push([]);
      tokensLeft = maxTokens;
    }
    parts.at(-1)?.push(page);
    tokensLeft -= tokens;
  }
  return { parts, pageCount: whole.pageCount };
});
