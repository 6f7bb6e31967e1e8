/**
 * Patterns of values that a request may send as texts. Readers and the OpenAPI document use the same ones, so that both
 * allow the same texts.
 */

/** Blanks that may surround a value. */
export const BLANKS = "[ \\t\\r\\n]*";

/** A whole text, perhaps between blanks. */
export const paddedPattern = (pattern: string): string => `^${BLANKS}(?:${pattern})${BLANKS}$`;

/** `ABc-D` → `[Aa][Bb][Cc][-_][Dd]`: words ignore case, and treat `-` and `_` alike. Without anchors. */
export const wordsPattern = (words: readonly string[]): string =>
  words
    .map((word) =>
      [...word]
        .map((letter) => {
          if (/[-_]/.test(letter)) return "[-_]";
          const [upper, lower] = [letter.toUpperCase(), letter.toLowerCase()];
          return upper === lower ? letter : `[${upper}${lower}]`;
        })
        .join(""),
    )
    .join("|");

/** Most digits of a number that is sent as a text: a double holds each number of so many. */
const MAX_DIGITS = 15;

const anyDigits = (count: number): string => (count === 0 ? "" : `[0-9]{${count}}`);

/** Texts of as many digits as `bound` that are above or below it, by the first digit that differs. */
function beyond(bound: string, side: "above" | "below", from = 0): string[] {
  return [...bound].slice(from).flatMap((digit, offset) => {
    const at = from + offset;
    const [first, last] = side === "above" ? [Number(digit) + 1, 9] : [0, Number(digit) - 1];
    return first > last ? [] : [`${bound.slice(0, at)}[${first}-${last}]${anyDigits(bound.length - 1 - at)}`];
  });
}

/** Integers of one number of digits. */
function sameLength(least: string, most: string): string[] {
  if (least === most) return [least];
  const at = [...least].findIndex((digit, index) => digit !== most[index]);
  const [first, last] = [Number(least[at]) + 1, Number(most[at]) - 1];
  const between = first > last ? [] : [`${least.slice(0, at)}[${first}-${last}]${anyDigits(least.length - 1 - at)}`];
  return [least, ...beyond(least, "above", at + 1), ...between, ...beyond(most, "below", at + 1), most];
}

/**
 * The integers from `least` to `most` in digits, without leading zeros or anchors.
 * @param least at least 0
 * @param most of more than 15 digits: all of up to 15
 */
export function digitsPattern(least: number, most: number): string {
  const highest = Math.min(most, 10 ** MAX_DIGITS - 1);
  const patterns: string[] = [];
  for (let digits = String(least).length; digits <= String(highest).length; digits += 1) {
    const low = Math.max(least, digits === 1 ? 0 : 10 ** (digits - 1));
    patterns.push(...sameLength(String(low), String(Math.min(highest, 10 ** digits - 1))));
  }
  return patterns.join("|");
}

/** The decimal numbers from 0 to a whole number, without anchors. */
export const decimalsPattern = (most: number): string =>
  `0*(?:(?:${digitsPattern(0, most - 1)})(?:\\.[0-9]{1,${MAX_DIGITS}})?|${most}(?:\\.0{1,${MAX_DIGITS}})?)`;
