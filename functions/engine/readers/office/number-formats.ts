/** Numbers of lists, notes and pages as they are written (ECMA-376 part 1, 17.18.59 ST_NumberFormat). */

const ROMAN: readonly [number, string][] = [
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
const MOST_ROMAN = 3_999;
/** Letters go on doubled: z, aa, bb … */
const MOST_LETTERS = 26 * 10;

function roman(value: number): string {
  let rest = value;
  let text = "";
  for (const [worth, letters] of ROMAN) {
    while (rest >= worth) {
      text += letters;
      rest -= worth;
    }
  }
  return text;
}

const letters = (value: number): string =>
  String.fromCharCode(0x61 + ((value - 1) % 26)).repeat(Math.floor((value - 1) / 26) + 1);

/** English, as Word writes it in English documents. */
function ordinal(value: number): string {
  const teen = value % 100 >= 11 && value % 100 <= 13;
  return `${value}${teen ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th")}`;
}

/** A number in one of the format's ways; digits where it has no such form. */
export function formatCount(value: number, format: string): string {
  switch (format) {
    case "none":
      return "";
    case "decimalZero":
      return value >= 0 && value < 10 ? `0${value}` : String(value);
    case "lowerRoman":
      return value >= 1 && value <= MOST_ROMAN ? roman(value) : String(value);
    case "upperRoman":
      return value >= 1 && value <= MOST_ROMAN ? roman(value).toUpperCase() : String(value);
    case "lowerLetter":
      return value >= 1 && value <= MOST_LETTERS ? letters(value) : String(value);
    case "upperLetter":
      return value >= 1 && value <= MOST_LETTERS ? letters(value).toUpperCase() : String(value);
    case "ordinal":
      return ordinal(value);
    default:
      return String(value);
  }
}
