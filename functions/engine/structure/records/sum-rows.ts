/** Sums, subtotals and carried balances among the rows of a list: they are no rows of it. */
import { CURRENCY_MARK } from "../../values/currencies.ts";
import { labelKey } from "../../values/label-words.ts";
import { foldText } from "../../values/text-folding.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { DOCUMENT_LABELS } from "../../values/vocabulary/vocabulary.ts";

/** Words that say a row is a sum; folded. */
const SUMMING = new Set(wordsOf(({ totals }) => totals.sums).map(foldText));
/** Words that stand beside those and do not make the row anything else. */
const BESIDE = new Set([...wordsOf(({ totals }) => totals.besideSums).map(foldText), "usd", "eur", "gbp", "chf"]);
/** Rows with more words say something else. */
const MAX_LABEL_WORDS = 8;

/** A currency beside an amount: `EUR`, `Euro`. */
const MONEY_CODE = new RegExp(`(?<!\\p{L})(?:${CURRENCY_MARK}|euros?)(?!\\p{L})`, "giu");
const MAX_SUM_LABEL_CHARS = 60;
const MAX_SUM_CELLS = 4;
const SUM_CONCEPTS = new Set(["net-total", "tax-total", "gross-total", "amount-due", "previous-balance"]);

/** All letters in the cells spell words of sums. `Total station, used` merely begins with one. */
function spellsSum(texts: readonly string[]): boolean {
  const words = texts.flatMap((text) => foldText(text).match(/\p{L}+/gu) ?? []);
  if (words.length === 0 || words.length > MAX_LABEL_WORDS) return false;
  return words.some((word) => SUMMING.has(word)) && words.every((word) => SUMMING.has(word) || BESIDE.has(word));
}

/** A single label, that of a sum, and few other cells: `Iva (22 %) | 0,04 Euro`. */
function isLabelledSum(texts: readonly string[]): boolean {
  const labels = texts.filter((text) => /\p{L}{2,}/u.test(text.replace(MONEY_CODE, "")));
  const [first = ""] = labels;
  if (labels.length !== 1 || first.length > MAX_SUM_LABEL_CHARS || texts.length > MAX_SUM_CELLS) return false;
  const key = labelKey(first.replace(MONEY_CODE, " ").replace(/[\d.,]+\s?%?|[()€$£:]/g, " "));
  return DOCUMENT_LABELS.meaningsOf(key).some(({ concept }) => SUM_CONCEPTS.has(concept));
}

/** The row is a sum, by the texts of its filled cells from left to right. */
export const isSumRow = (texts: readonly string[]): boolean => spellsSum(texts) || isLabelledSum(texts);

/** The label mentions a sum: `Total for this invoice`. */
export const namesSum = (label: string): boolean =>
  (foldText(label).match(/\p{L}+/gu) ?? []).slice(0, MAX_LABEL_WORDS).some((word) => SUMMING.has(word));
