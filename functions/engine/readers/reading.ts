/** Options of a reading, and its counts. */
import type { OcrMode } from "../../ports/ocr.ts";

/** Facts about a document that was read; small enough for a record. */
export interface ReadingFacts {
  provider: string;
  pageCount: number;
  wordCount: number;
  characterCount: number;
  /** From the quality report, where there is one. */
  quality?: { score: number; category: string };
}

export interface ReadingOptions {
  mimeType: string;
  /** 1-based; pages that do not exist are ignored; absent: all. */
  pageRange?: number[];
  /** DEFAULT when absent. */
  ocr?: OcrMode;
  /** Do not fail on documents without text: something else in them is asked for. */
  mayBeEmpty?: boolean;
}
