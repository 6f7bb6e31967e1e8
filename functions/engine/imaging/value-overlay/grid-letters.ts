/** Letters for writing on pictures, as squares of a grid: fonts differ between machines, and AWS Lambda has none. */

/** Columns and rows of a letter in its grid, descenders in the last two rows. */
const LETTER_COLUMNS = 5;
const LETTER_ROWS = 9;
/** Columns from one letter to the next. */
const ADVANCE_COLUMNS = LETTER_COLUMNS + 1;

/**
 * Each entry: a letter and its rows from the top, each a digit to the base 32 whose bits are the columns from the left.
 */
const LETTER_BITS = [
  "0EHJLPHE00 14CK444V00 2EH1248V00 3EH161HE00 426AIV2200 5VGU11HE00 668GUHHE00 7V12244400",
  "8EHHEHHE00 9EHHF12C00 A4AHHVHH00 BUHHUHHU00 CEHGGGHE00 DSIHHHIS00 EVGGUGGV00 FVGGUGGG00",
  "GEHGJHHE00 HHHHVHHH00 IE44444E00 J72222IC00 KHIKOKIH00 LGGGGGGV00 MHRLLHHH00 NHPPLJJH00",
  "OEHHHHHE00 PUHHUGGG00 QEHHHLID00 RUHHUKIH00 SFGGE11U00 TV44444400 UHHHHHHE00 VHHHHAA400",
  "WHHHLLRH00 XHHA4AHH00 YHHA444400 ZV1248GV00 a00E1FHF00 bGGUHHHU00 c00FGGGF00 d11FHHHF00",
  "e00EHVGF00 f68U888800 g00FHHHF1E hGGUHHHH00 i40C444E00 j2062222IC kGGIKOKI00 lC44444E00",
  "m00QLLLL00 n00UHHHH00 o00EHHHE00 p00UHHHUGG q00FHHHF11 r00MOGGG00 s00FGE1U00 t88U888600",
  "u00HHHHF00 v00HHHA400 w00HLLLA00 x00HA4AH00 y00HHHHF1E z00V248V00 /11248GG00 _000000V00",
  "-000E00000 .000004400 ,000004480 :044004400 ~0009M0000 @EHNLNGE00 #AAVAVAA00 $4FKE5U400",
  "%PP248JJ00 &CIK8LID00 (248884200 )842224800 +044V44000 =00V0V0000 …00000LL00",
  "?EH1240400 °CIC000000 '448000000 !444440400 *4LEL40000",
].join(" ");

const GLYPHS = new Map(
  LETTER_BITS.split(" ").map(([letter = "", ...rows]) => [letter, rows.map((row) => Number.parseInt(row, 32))]),
);
/** Glyph of unknown letters: an empty frame. */
const UNKNOWN_GLYPH = [31, 17, 17, 17, 17, 17, 31, 0, 0];

/** Letters without their accents, which are too small to draw. */
const withoutAccents = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "");

/** Rounds to a hundredth of a pixel. */
const round = (value: number): number => Math.round(value * 100) / 100;

/** Width and height of a text in dots. */
export const textSize = (text: string): { width: number; height: number } => ({
  width: Math.max([...withoutAccents(text)].length * ADVANCE_COLUMNS - 1, 0),
  height: LETTER_ROWS,
});

/**
 * A text as the data of an SVG path.
 * @param left and `top` of its first letter @param dot width of a dot, in the same unit
 */
export function textPath(text: string, left: number, top: number, dot: number): string {
  let data = "";
  [...withoutAccents(text)].forEach((letter, index) => {
    if (letter === " ") return;
    (GLYPHS.get(letter) ?? UNKNOWN_GLYPH).forEach((bits, row) => {
      for (let column = 0; column < LETTER_COLUMNS; column += 1) {
        const start = column;
        while (column < LETTER_COLUMNS && (bits >> (LETTER_COLUMNS - 1 - column)) & 1) column += 1;
        if (column === start) continue;
        const [x, y] = [left + (index * ADVANCE_COLUMNS + start) * dot, top + row * dot];
        const run = round((column - start) * dot);
        data += `M${round(x)} ${round(y)}h${run}v${round(dot)}h${-run}z`;
      }
    });
  });
  return data;
}
