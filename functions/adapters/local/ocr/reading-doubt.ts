/** Tells pages that Tesseract reads doubtfully. */
import type { ReadWord } from "./tesseract-tsv.ts";

/**
 * Confidence of a page's median letter below which a second recogniser reads the page too. Over the 16 pages of the bench
 * `ocr` it is 0.958 to 0.966, and 0.939 to 0.965 as poor scans; over sharp scans of forms in languages without data
 * 0.916 to 0.928; over 73 photos, scans and pictures of bills 0 to 0.949, and below the threshold for 65 of them.
 */
const DOUBTFUL_MEDIAN_CONFIDENCE = 0.915;
const LETTER = /[\p{L}\p{N}]/gu;

/**
 * Confidence of the median letter of a page. Pieces of ink beyond the letters read count as letters that were not read.
 * @param pieces of ink that may be letters
 */
export function medianLetterConfidence(words: readonly ReadWord[], pieces: number): number {
  const read = words
    .map(({ text, confidence }) => ({ confidence, letters: text.match(LETTER)?.length ?? 0 }))
    .sort((a, b) => b.confidence - a.confidence);
  const letters = read.reduce((sum, one) => sum + one.letters, 0);
  let rest = Math.max(letters, pieces) / 2;
  for (const one of read) {
    rest -= one.letters;
    if (rest <= 0) return one.confidence;
  }
  return 0;
}

/** True for a page that a second recogniser may read better. @param words of Tesseract, without noise */
export const isReadDoubtfully = (words: readonly ReadWord[], pieces: number): boolean =>
  medianLetterConfidence(words, pieces) < DOUBTFUL_MEDIAN_CONFIDENCE;
