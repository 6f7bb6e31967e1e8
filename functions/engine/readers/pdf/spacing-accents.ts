/** Accents that TeX draws as characters of their own: before the letter that they stand over, or behind its word. */
import { middleX } from "../../layout/geometry.ts";
import type { Glyph } from "./glyph.ts";

const COMBINING = new Map(
  Object.entries({ "´": 0x301, "`": 0x300, "¨": 0x308, ˆ: 0x302, "˜": 0x303, "˚": 0x30a, ˇ: 0x30c, "˙": 0x307 }),
);

/** An accent stands over the middle of its letter, as a share of the letter's width, and is raised over capitals, in ems. */
const MAX_SHIFT_SHARE = 0.35;
const MAX_RAISE_EM = 0.4;

/** The letter with an accent over it; undefined for other glyphs, and where no such letter exists. */
function accented(accent: Glyph, letter: Glyph): string | undefined {
  const mark = COMBINING.get(accent.text);
  if (mark === undefined || !/^\p{L}$/u.test(letter.text)) return undefined;
  const shift = Math.abs(middleX(accent) - middleX(letter));
  const isOver = shift <= MAX_SHIFT_SHARE * (letter.right - letter.left);
  if (!isOver || Math.abs(letter.y - accent.y) > MAX_RAISE_EM * accent.style.size) return undefined;
  const text = `${letter.text.replace("ı", "i")}${String.fromCodePoint(mark)}`.normalize("NFC");
  return [...text].length === 1 ? text : undefined;
}

/** Characters before an accent among which its letter is: pdfium puts raised accents behind the word or line. */
const MAX_GLYPHS_BACK = 200;

/** Writes an accent into the letter that it stands over. @returns the accent, which is left over: the glyph, or the last one before it */
export function accentOf(before: readonly Glyph[], glyph: Glyph): Glyph | undefined {
  if (glyph.style.angle !== 0) return undefined;
  const last = before.at(-1);
  const own = last === undefined ? undefined : accented(last, glyph);
  if (own !== undefined) {
    glyph.text = own;
    return last;
  }
  if (!COMBINING.has(glyph.text)) return undefined;
  for (const letter of before.slice(-MAX_GLYPHS_BACK).reverse()) {
    const text = accented(glyph, letter);
    if (text === undefined) continue;
    letter.text = text;
    return glyph;
  }
  return undefined;
}
