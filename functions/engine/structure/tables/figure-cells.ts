/** Tells values, which stand in columns of figures, from running words. */
import { oncePer } from "../../values/lazily.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import { type TableLine, textOf } from "./table-parts.ts";

/** Letters beside the digits: a unit, a currency, a month. */
const MAX_UNIT_LETTERS = 3;
const NO_VALUE = new RegExp(`^(?:[-–—−.*]{1,3}|${anyOf(wordsOf(({ answers }) => answers.nothing))})$`, "iu");
/** `Tel. +49 …`, `IBAN: DE12…`, `(N=250)`: a word names the number. Three capitals may be a currency. */
const NAMED = /^(?!\p{Lu}{3}\s)\p{L}[\p{L}.-]*[.:]?\s+\S|^[^:]*\p{L}\s*[:：]|^[^=]*\p{L}\s*=/u;
const MONTH_DAY = /^\p{L}{3,9}\.? \d{1,2}(?:,? \d{2,4})?$/u;
/** `2 Stk`, `14 Std.`, `25 Unit(s)` */
const MEASURED = /^[-+]?\d[\d.,]*\s?[\p{L}()²³°]{1,8}\.?$/u;
/** Four dots or more, or underscores, that lead the eye to the next column. */
const LEADER = /^(?:[.·‧…]{4,}|_{4,}|…+)$/u;
const YEAR = /^(?:FY\s?)?(?:19|20)\d\d(?:\/\d\d)?$/u;
/** `31.12.2025`, `2025-12-31`, `31 December 2025`, `Q1 2025` */
const DATE = /^(?:\d{1,4}([./-])\d{1,2}\1\d{2,4}|\d{1,2}\.? \p{L}{3,9}\.?,? \d{2,4}|[HQ][1-4] \d{2,4})$/u;

const isDigit = (character: string): boolean => /\p{Nd}/u.test(character);
const isLetter = (character: string): boolean => /\p{L}/u.test(character);

/**
 * True for a number, amount, date, code or share: digits, and hardly more letters than digits. A dash for nothing
 * counts.
 */
export function isValue(text: string): boolean {
  let digits = 0;
  let letters = 0;
  for (const character of text) {
    const code = character.charCodeAt(0);
    if (code >= 0x30 && code <= 0x39) digits += 1;
    else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) letters += 1;
    else if (code > 0x7f && isDigit(character)) digits += 1;
    else if (code > 0x7f && isLetter(character)) letters += 1;
  }
  if (digits === 0) return letters < 5 && NO_VALUE.test(text.trim());
  if (letters === 0) return true;
  if (letters <= Math.max(MAX_UNIT_LETTERS, digits)) return !NAMED.test(text) || MONTH_DAY.test(text);
  return MONTH_DAY.test(text) || MEASURED.test(text);
}

/** Cache, as lines are tested again and again, as parts of one run of rows or another. */
const isValueAlone = oncePer((line: TableLine): boolean => isValue(textOf([line])));

/** True if the lines of one cell are a value. */
export function areValue(lines: readonly TableLine[]): boolean {
  const [line] = lines;
  return line === undefined || lines.length > 1 ? isValue(textOf(lines)) : isValueAlone(line);
}

/** True for a year, which heads a column as often as it is a value. */
export const isYear = (text: string): boolean => YEAR.test(text);

/** True for a year, a date or the like, which head the columns of statements. */
export const isPeriod = (text: string): boolean => isYear(text) || MONTH_DAY.test(text) || DATE.test(text);

export const isLeader = (text: string): boolean => LEADER.test(text);

/** True for labels such as `Total:`, `Nr.:`. */
export const isLabel = (text: string): boolean => /[:：]\s*$/u.test(text);
