/** Yes and no as printed, ticked or crossed. */
import { foldText } from "./text-folding.ts";
import { wordsOf } from "./vocabulary/languages.ts";

const YES = new Set([...wordsOf(({ answers }) => answers.yes).map(foldText), "x"]);
const NO = new Set(wordsOf(({ answers }) => answers.no).map(foldText));
const TICKED = /^(?:[☑☒✓✔✗✘■▣⊠]|\[\s?[xX✓✔]\s?\]|\(\s?[xX]\s?\))/u;
const EMPTY = /^(?:[☐□▢]|\[\s?\]|\(\s?\))/u;

/** Reads a value as a boolean. @returns null for anything that is neither */
export function parseBoolean(text: string): boolean | null {
  const trimmed = text.trim();
  if (TICKED.test(trimmed)) return true;
  if (EMPTY.test(trimmed)) return false;
  const word = foldText(trimmed).replace(/[^\p{L}]/gu, "");
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
}

/** A box before its caption (`☑ Paid`), ticked or not; null where the text does not begin with one. */
export function leadingTick(text: string): boolean | null {
  const trimmed = text.trim();
  if (TICKED.test(trimmed)) return true;
  return EMPTY.test(trimmed) ? false : null;
}
