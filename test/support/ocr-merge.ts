/** Layouts for merging recognised pages into, and views of the merged first page. */

import { blockLines, lineText } from "../../functions/engine/layout/page-words.ts";
import { type Block, LAYOUT_VERSION, type Layout, type Page } from "../../functions/ports/layout.ts";
import { pageOf, TEXTS } from "./pages.ts";

export const ENGLISH = TEXTS.en ?? "";
/** Confidence of words. */
export const HIGH_CONFIDENCE = { confidence: 0.95 };

export const layoutOf = (...pages: Page[]): Layout => ({
  v: LAYOUT_VERSION,
  provider: "pdf-text",
  logicalPages: false,
  pageCount: pages.length,
  pages,
});

export const textOf = (block: Block): string => blockLines(block).map(lineText).join(" / ");
export const pageOne = (layout: Layout): Page => layout.pages[0] ?? pageOf([]);
export const texts = (layout: Layout): string[] => pageOne(layout).blocks.map(textOf);
export const kinds = (layout: Layout) => pageOne(layout).blocks.map(({ kind }) => kind);
