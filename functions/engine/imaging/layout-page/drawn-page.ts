/** The parts of a layout's page that its picture shows: words in their boxes, rules of tables, frames of pictures. */
import type { Box, Page } from "../../../ports/layout.ts";

export interface DrawnWord {
  text: string;
  /** Inches, as in the layout. */
  box: Box;
  bold: boolean;
}

export interface DrawnPage {
  /** Inches. */
  width: number;
  height: number;
  /** Only words with a place and a visible character. */
  words: DrawnWord[];
  /** Cells of tables, outlined by rules. */
  cells: Box[];
  /** Figures and barcodes, whose pictures the layout does not hold. */
  frames: Box[];
}

/**
 * Height of a word's box in ems of its letters, and the share of an em below their baseline: letters with accents and
 * descenders of common typefaces stay inside.
 */
export const BOX_HEIGHT_EM = 1.2;
export const DESCENT_EM = 0.25;
/** Letters are stretched by this at most to fill a box, so that short words do not look like banners. */
export const MAX_STRETCH = 1.25;

const hasArea = ({ left, top, right, bottom }: Box): boolean => right > left && bottom > top;
const isVisible = (text: string): boolean => /[^\s\p{Cf}\p{Cc}]/u.test(text);

/** Lists what the page's picture shows. Headings are bold. */
export function drawnPage({ width, height, blocks }: Page): DrawnPage {
  const drawn: DrawnPage = { width, height, words: [], cells: [], frames: [] };
  for (const block of blocks) {
    const isTable = block.kind === "table";
    if (isTable) for (const { box } of block.cells) drawn.cells.push(box);
    else if (block.kind === "figure" || block.kind === "barcode") drawn.frames.push(block.box);
    const lines = isTable ? block.cells.flatMap((cell) => cell.lines) : block.lines;
    for (const { words } of lines) {
      for (const { text, box, bold = block.kind === "heading" } of words) {
        if (hasArea(box) && isVisible(text)) drawn.words.push({ text, box, bold });
      }
    }
  }
  return { ...drawn, cells: drawn.cells.filter(hasArea), frames: drawn.frames.filter(hasArea) };
}
