/** Yes and no as printed, ticked or crossed. */
import { foldText } from "./text-folding.ts";

const YES = new Set([
  "yes",
  "y",
  "true",
  "ja",
  "j",
  "oui",
  "si",
  "vrai",
  "wahr",
  "waar",
  "vero",
  "verdadero",
  "x",
  "on",
]);
const NO = new Set(["no", "n", "false", "nein", "non", "nee", "faux", "falsch", "onwaar", "falso", "off"]);
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
