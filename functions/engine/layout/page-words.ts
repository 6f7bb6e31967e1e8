/** The lines and words of blocks and pages. */
import type { Block, Line, Page, Word } from "../../ports/layout.ts";

/** The lines of a block in reading order; for a table cell by cell, row by row. */
export const blockLines = (block: Block): readonly Line[] =>
  block.kind === "table" ? block.cells.flatMap((cell) => cell.lines) : block.lines;

/** The words of a page in reading order. References (`p1/w17`) count them in this order, from 0. */
export function pageWords(page: Page): Word[] {
  const words: Word[] = [];
  for (const block of page.blocks) {
    for (const line of blockLines(block)) for (const word of line.words) words.push(word);
  }
  return words;
}

/** The text of a line: its words with single spaces. */
export const lineText = (line: Line): string => line.words.map((word) => word.text).join(" ");
