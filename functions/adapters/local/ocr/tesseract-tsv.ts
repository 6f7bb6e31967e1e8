/** Parses Tesseract's table of a picture: TSV, a row for each page, block, paragraph, line and word. */
import type { Box } from "../../../ports/layout.ts";

/** A word as Tesseract reads it. */
export interface ReadWord {
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** Inches from the top left corner of the level picture. */
  box: Box;
  /** Number of its line. */
  line: number;
}

/** Words of a page; more are grain. */
const MAX_WORDS = 20_000;
/** Level of words in the hierarchy. */
const WORD_LEVEL = "5";
/** Characters of a word; longer ones are cut. */
const MAX_WORD_LENGTH = 500;

/**
 * The words of a table. Columns: level, page, block, paragraph, line, word, left, top, width, height (pixels),
 * confidence (0 to 100), text. A heading row is optional.
 * @param dpi pixels per inch of the picture
 */
export function parseTsv(tsv: string, dpi: number): ReadWord[] {
  const words: ReadWord[] = [];
  const lines = new Map<string, number>();
  for (const row of tsv.split("\n")) {
    const cells = row.split("\t");
    if (cells[0] !== WORD_LEVEL) continue;
    const text = cells.slice(11).join(" ").replace(/\s+/gu, " ").trim().slice(0, MAX_WORD_LENGTH);
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
    if (words.length === MAX_WORDS) break;
  }
  return words;
}
