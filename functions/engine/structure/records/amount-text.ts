/** The text of amounts as they were printed, where letters touch them or recognition changed them. */

/** Recognition parts digits from their mark or takes it for a space: `283, 75`, `378, 000`, `54.3 5`, `54 50`. The text keeps its length. */
export const joinCents = (text: string): string =>
  text
    .replace(/(\d+[.,]) (\d{2,3})(?![\d.,])|(\d+[.,]\d) (\d)$/gu, " $1$2$3$4")
    .replace(/(^(?:[A-Z]{3} ?|\p{Sc})?|\p{Sc})(\d{1,4}) (\d{2})$/u, "$1$2.$3");

/** The sign of a tax rate that touches its amount: `1,19A`, `1.99·A`, `64,00-A`. */
const TOUCHING_TAX_SIGN = /(?<=\d[.,]\d{2})[·•*-]?\p{Lu}$/u;
/** The same with letters of a currency, and letters that recognition makes of such signs: `129,000d`, `145,80Ar`. */
const TOUCHING_LETTERS = /(?<=\d[.,]\d{2,3})[·•*-]?\p{L}{1,2}$/u;
/** A currency sign that recognition takes for a letter: `L18.00`. */
const LETTER_FOR_CURRENCY = /(?<![\p{L}\p{N}])\p{L}(?=\d+[.,]\d{2}$)/u;
/** A zero that recognition takes for a letter: `2,0DE`, `1O,50`. */
const LETTER_FOR_ZERO = /(?<=\d[.,]\d)[ODo](?!\p{Ll})|(?<=\d)[ODo](?=[.,]\d{2})/gu;
/** A mark that recognition takes for a colon, where the digits tell no time: `6:97`, `-0:30`, `30:91`. */
const COLON_FOR_MARK =
  /(?<=-\d{1,4}):(?=\d{2}$)|(?<=^\d{1,4}):(?=[6-9]\d$)|(?<=^(?:2[4-9]|[3-9]\d|\d{3,4})):(?=\d{2}$)/u;

/** The text with spaces for letters that touch its amount: positions stay. */
export function amountText(text: string, recognised: boolean): string {
  const blank = (letters: string): string => " ".repeat(letters.length);
  if (!recognised) return text.replace(TOUCHING_TAX_SIGN, blank);
  return joinCents(text.replace(LETTER_FOR_ZERO, "0").replace(COLON_FOR_MARK, "."))
    .replace(TOUCHING_LETTERS, blank)
    .replace(LETTER_FOR_CURRENCY, blank);
}
