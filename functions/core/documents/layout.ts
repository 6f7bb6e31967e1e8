/**
 * The layout model: what stands on each page, and where. Written by the readers, read by extraction, transcription and
 * the evidence. Stored as UTF-8 JSON.
 *
 * Coordinates are inches from the top left corner of the page as shown (after rotation and cropping); x grows to the
 * right, y downwards.
 */

export const LAYOUT_VERSION = 1;

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Word {
  text: string;
  box: Box;
  /** 0 to 1; absent for words of a text layer, which are certain. */
  confidence?: number;
  /** Height of the type in points, where the reader knows it. */
  fontSize?: number;
  bold?: boolean;
}

/** Words that stand on one baseline and belong together, from left to right (right to left for such scripts). */
export interface Line {
  box: Box;
  words: Word[];
}

export interface Block {
  kind: "paragraph";
  box: Box;
  lines: Line[];
}

export interface Page {
  /** From 1. */
  number: number;
  /** Inches, as shown. */
  width: number;
  height: number;
  unit: "inch";
  /** Degrees clockwise by which the file turns the page for showing: 0, 90, 180, 270. Boxes are already turned. */
  rotation: number;
  /** In reading order. */
  blocks: Block[];
}

export interface Layout {
  v: typeof LAYOUT_VERSION;
  /** What read it: `pdf-text`, `text`, `docx`. */
  provider: string;
  /** True when pages and boxes are laid out by us because the format has none (plain text, Word). */
  logicalPages: boolean;
  /** Of the whole document, also where `pages` holds only some. */
  pageCount: number;
  pages: Page[];
}

/** The text of a line: its words with single spaces. */
export const lineText = (line: Line): string => line.words.map((word) => word.text).join(" ");

/** The smallest box that holds all of them. @throws RangeError for none */
export function unionBox(boxes: readonly Box[]): Box {
  const first = boxes[0];
  if (first === undefined) throw new RangeError("A union needs at least one box");
  const union = { ...first };
  for (const box of boxes) {
    union.left = Math.min(union.left, box.left);
    union.top = Math.min(union.top, box.top);
    union.right = Math.max(union.right, box.right);
    union.bottom = Math.max(union.bottom, box.bottom);
  }
  return union;
}
