/** The kind of a cell's content, by its characters. Rows of one list have the same kinds in the same columns. */
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";

/** `number` covers amounts and rates; `code` is a word with digits that is neither number nor date. */
export type CellKind = "number" | "date" | "code" | "text";

const DATE =
  /^(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\.?|\d{1,2}\.?\s\p{L}{3,10}\.?,?\s\d{2,4}|\p{L}{3,10}\.?\s\d{1,2},?\s\d{4}|\d{4}-\d{2}-\d{2}T\S+|\d{1,2}:\d{2}(?::\d{2})?)$/u;
/** Currency on either side, sign, brackets, percent sign; `1.250,-`. */
const NUMBER =
  /^\(?[-−–+]?\s?(?:[\p{Sc}]|\p{Lu}{3}\s|[A-Z]{1,3}[$£])?\s?[-−–+]?\d[\d.,'’ \u00a0\u202f]*(?:[.,][-–—]{1,2})?[-−]?\s?(?:%|[\p{Sc}]|\p{Lu}{3}|[A-Z]{1,3}[$£])?\)?$/u;
const CODE = /^[#№]?(?=\S*\d)[\p{L}\p{N}][\p{L}\p{N}\-/._#+:*&()]*$/u;

/** Longer text is not a value. */
const MAX_VALUE_CHARACTERS = 60;

export function cellKind(text: string): CellKind {
  const trimmed = text.trim();
  if (trimmed.length > MAX_VALUE_CHARACTERS || !/\d/.test(trimmed)) return "text";
  if (DATE.test(trimmed)) return "date";
  if (NUMBER.test(trimmed)) return "number";
  return CODE.test(trimmed) ? "code" : "text";
}

/** Replaces digits by `0` and letters by `a`: codes of one series have the same shape. */
export const codeShape = (code: string): string => code.replace(/\p{N}/gu, "0").replace(/\p{L}/gu, "a");

const PLACEHOLDER = new RegExp(`^(?:[^\\p{L}\\p{N}]*|${anyOf(wordsOf(({ answers }) => answers.unknown))})$`, "iu");

/** A mark for an unknown value, in columns and rows of all kinds: `-`, `N/A`, `unbekannt`, `TBD`. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text.trim());
