/**
 * Texts that spreadsheet programs would run as formulas. A program splits a line at the list separator of its user's
 * locale and not at the file's, and finds quotes only where it sees a cell begin. So a text is guarded at its beginning
 * and behind every character at which some locale begins a cell.
 */

/**
 * The formula signs `=`, `+`, `-` and `@`, with the full-width, small, raised and lowered forms that programs read like
 * them. Source: "CSV Injection", OWASP; compatibility forms of Unicode (NFKC).
 */
const SIGNS = "=+\\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋";
/**
 * List separators of locales other than the file's comma, which stands inside quotes: semicolon, tab, bar, the Arabic
 * comma and semicolon; and all line breaks.
 */
const CELL_BREAKS = ";\\|،؛\\t\\n\\v\\f\\r\\x1c-\\x1e\\x85\\u2028\\u2029";
/** Characters that programs skip before a formula: spaces, controls, marks without width, quotes. */
const SKIPPED = '\\p{Z}\\p{Cc}\\p{Cf}"';

/** The beginning of a cell, up to its formula sign. */
const CELL_START = new RegExp(`((?:^|[${CELL_BREAKS}])[[${SKIPPED}]--[${CELL_BREAKS}]]*)(?=[${SIGNS}])`, "gv");
/** The last cell of a text, when it is empty: there the text's closing quote would begin a cell, and open it. */
const EMPTY_END = new RegExp(`([${CELL_BREAKS}][[${SKIPPED}]--[${CELL_BREAKS}]]*)$`, "v");
const ANY_SIGN = new RegExp(`[${SIGNS}]`, "v");
/** Programs drop these at the beginning of a cell. Source: OWASP; ASVS 1.2.10. */
const DROPPED_START = /^[\0\t\n\r]/;

/** Digits with points, commas, apostrophes or spaces between them: no formula, whatever the locale makes of them. */
const DIGITS = "\\d+(?:[.,]\\d+|[ '’\\u00a0\\u202f]\\d{3}(?!\\d))*";
const SIGNED_NUMBER = new RegExp(`^[+\\-]${DIGITS}(?:[eE][+\\-]?\\d+)?%?$`);

/** The text is a number with a sign, such as `-12.50`, `+49`, `-1 234,50` or `+3,5%`. */
export const isSignedNumber = (text: string): boolean => SIGNED_NUMBER.test(text);

/** Some program, in some locale, would read a formula in the text. */
export const hasFormula = (text: string): boolean => guardFormulas(text) !== text;

/** Some locale begins a cell inside the text. */
export const CELL_BREAK = new RegExp(`[${CELL_BREAKS}]`, "v");

/**
 * Puts an apostrophe before each formula sign at which a cell could begin, so that programs read a text. Signed numbers
 * remain as they are.
 */
export function guardFormulas(text: string): string {
  const start = DROPPED_START.test(text) ? "'" : "";
  if (!ANY_SIGN.test(text) || isSignedNumber(text)) return start + text;
  return start + text.replace(CELL_START, "$1'");
}

/** Guards the text, and an empty cell at its end too, lest a program takes the line after it for the cell's content. */
export const guardFormulasAndEnd = (text: string): string => guardFormulas(text).replace(EMPTY_END, "$1'");
