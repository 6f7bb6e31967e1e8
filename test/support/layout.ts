/** Looks into layouts. */

import { blockLines, lineText } from "../../functions/engine/layout/page-words.ts";
import type { Layout, Line, Page, Word } from "../../functions/ports/layout.ts";

export const pageLines = (page: Page | undefined): Line[] => page?.blocks.flatMap(blockLines) ?? [];
export const pageWords = (page: Page | undefined): Word[] => pageLines(page).flatMap((line) => line.words);
export const lineTexts = (page: Page | undefined): string[] => pageLines(page).map(lineText);
export const blockTexts = (page: Page | undefined): string[] =>
  page?.blocks.map((block) => blockLines(block).map(lineText).join("|")) ?? [];

/** The word with this text. @throws Error when there is none */
export function wordIn(layout: Layout, text: string): Word {
  const word = layout.pages.flatMap(pageWords).find((one) => one.text === text);
  if (word === undefined) throw new Error(`The layout has no word ${text}`);
  return word;
}
