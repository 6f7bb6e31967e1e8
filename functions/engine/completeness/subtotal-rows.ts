/** Subtotal and carry-forward rows, which stand among the rows of a list. */

import { foldText } from "../values/text-folding.ts";
import { wordsOf } from "../values/vocabulary/languages.ts";

/** Words that say a row is a sum, in the six languages; folded. */
const SUMMING = new Set(wordsOf(({ totals }) => totals.sums).map(foldText));
/** Words that stand beside those and do not make the row anything else. */
const BESIDE = new Set([...wordsOf(({ totals }) => totals.besideSums).map(foldText), "usd", "eur", "gbp", "chf"]);
/** Rows with more words say something else. */
const MAX_LABEL_WORDS = 8;

/**
 * The letters in the row's cells spell subtotal words only. A description that merely begins with such a word (`Total
 * station, used`) is none.
 */
export function isSubtotalRow(texts: readonly string[]): boolean {
  const words = texts.flatMap((text) => foldText(text).match(/\p{L}+/gu) ?? []);
  if (words.length === 0 || words.length > MAX_LABEL_WORDS) return false;
  const summing = words.filter((word) => SUMMING.has(word));
  return summing.length > 0 && words.every((word) => SUMMING.has(word) || BESIDE.has(word));
}

/** The label mentions a sum: `Total for this invoice`. */
export const namesSum = (label: string): boolean =>
  (foldText(label).match(/\p{L}+/gu) ?? []).slice(0, MAX_LABEL_WORDS).some((word) => SUMMING.has(word));
