/** Number formats of lists, notes and pages (ECMA-376 part 1, 17.18.59 ST_NumberFormat). */

const ROMAN_VALUES: readonly [number, string][] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];
const MAX_ROMAN = 3_999;
/** Letters repeat after z: aa, bb … */
const MAX_LETTER_NUMBER = 26 * 10;

function romanNumeral(value: number): string {
  let rest = value;
  let text = "";
  for (const [worth, letters] of ROMAN_VALUES) {
    while (rest >= worth) {
      text += letters;
      rest -= worth;
    }
  }
  return text;
}

const letterNumber = (value: number): string =>
  String.fromCharCode(0x61 + ((value - 1) % 26)).repeat(Math.floor((value - 1) / 26) + 1);

/** English ordinals, as Word writes them in English documents. */
function englishOrdinal(value: number): string {
  const teen = value % 100 >= 11 && value % 100 <= 13;
  return `${value}${teen ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th")}`;
}

/** Formats a number; in digits where the format has no such form. */
export function formatCount(value: number, format: string): string {
  switch (format) {
    case "none":
      return "";
    case "decimalZero":
      return value >= 0 && value < 10 ? `0${value}` : String(value);
    case "lowerRoman":
      return value >= 1 && value <= MAX_ROMAN ? romanNumeral(value) : String(value);
    case "upperRoman":
      return value >= 1 && value <= MAX_ROMAN ? romanNumeral(value).toUpperCase() : String(value);
    case "lowerLetter":
      return value >= 1 && value <= MAX_LETTER_NUMBER ? letterNumber(value) : String(value);
    case "upperLetter":
      return value >= 1 && value <= MAX_LETTER_NUMBER ? letterNumber(value).toUpperCase() : String(value);
    case "ordinal":
      return englishOrdinal(value);
    default:
      return String(value);
  }
}
