/** The table that Tesseract gives of a picture: TSV, a row for each page, block, paragraph, line and word. */
import type { Box } from "../../../ports/layout.ts";

/** A word as it was read. */
export interface ReadWord {
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** Inches from the top left corner of the level picture. */
  box: Box;
  /** Words of one line have the same number. */
  line: number;
}

/** More is grain. */
const MOST_WORDS = 20_000;
/** The fifth level of the hierarchy is the word. */
const WORD = "5";
/** Nothing else is a word's. */
const LONGEST_WORD = 500;

/**
 * The words of a table; columns: level, page, block, paragraph, line, word, left, top, width, height (pixels),
 * confidence (0 to 100), text. A heading row may be there or not.
 * @param dpi pixels per inch of the picture
 */
export function parseTsv(tsv: string, dpi: number): ReadWord[] {
  const words: ReadWord[] = [];
  const lines = new Map<string, number>();
  for (const row of tsv.split("\n")) {
    const cells = row.split("\t");
    if (cells[0] !== WORD) continue;
    const text = cells.slice(11).join(" ").replace(/\s+/gu, " ").trim().slice(0, LONGEST_WORD);
    const [left = 0, top = 0, width = 0, height = 0, confidence = 0] = cells.slice(6, 11).map(Number);
    if (text === "" || ![left, top, width, height, confidence].every(Number.isFinite)) continue;
    if (width <= 0 || height <= 0) continue;
    const key = cells.slice(1, 5).join(" ");
    const line = lines.get(key) ?? lines.size;
    lines.set(key, line);
    words.push({
      text,
      confidence: Math.round(Math.min(Math.max(confidence, 0), 100) * 100) / 10_000,
      box: { left: left / dpi, top: top / dpi, right: (left + width) / dpi, bottom: (top + height) / dpi },
      line,
    });
    if (words.length === MOST_WORDS) break;
  }
  return words;
}
