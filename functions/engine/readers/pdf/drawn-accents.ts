/** Letters with an accent drawn over them: fonts with TeX's old encoding have accents and letters only. */
import { middleX } from "../../layout/geometry.ts";
import type { Glyph } from "./glyph.ts";

/** Combining characters by the accents that stand alone. */
const COMBINING: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "´": "\u0301",
  ˆ: "\u0302",
  "˜": "\u0303",
  "¯": "\u0304",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030a",
  "˝": "\u030b",
  ˇ: "\u030c",
  "¸": "\u0327",
};

/** Accents of one page that are joined: a full page of French has some 200. */
const MAX_ACCENTS = 1_000;
/** Height of an accent's own baseline over its letter's, in ems: capitals' are raised. */
const MAX_RISE_EM = 0.4;

/** The letter with the accent that is drawn over it; undefined for two characters side by side. */
function accentedLetter(accent: Glyph, mark: string, letter: Glyph): string | undefined {
  const middle = middleX(accent);
  if (middle < letter.left || middle > letter.right || !/^[\p{L}ı]$/u.test(letter.text)) return undefined;
  if (accent.bottom < letter.top || accent.top > letter.bottom || accent.style.angle !== letter.style.angle)
    return undefined;
  // An accent of the line below reaches no higher than this line's baseline.
  if (Math.abs(accent.y - letter.y) > MAX_RISE_EM * letter.style.size) return undefined;
  const composed = `${letter.text.replace("ı", "i")}${mark}`.normalize("NFC");
  return composed.length === 1 ? composed : undefined;
}

export interface TextLayer {
  glyphs: Glyph[];
  /** Indices of characters without a meaning: no Unicode value, a private one, or a replacement character. */
  unmapped: number[];
}

/** Joins letters with the accents over them, wherever those stand in the content. */
export function joinAccents(layer: TextLayer): TextLayer {
  const { glyphs, unmapped } = layer;
  const joined = new Set<Glyph>();
  const accents = glyphs.filter(({ text }) => COMBINING[text] !== undefined);
  if (accents.length > MAX_ACCENTS) return layer;
  for (const accent of accents) {
    const mark = COMBINING[accent.text] ?? "";
    for (const letter of glyphs) {
      const text = accentedLetter(accent, mark, letter);
      if (text === undefined) continue;
      letter.text = text;
      joined.add(accent);
      break;
    }
  }
  if (joined.size === 0) return layer;
  const unknown = new Set(unmapped.map((index) => glyphs[index]));
  const kept = glyphs.filter((glyph) => !joined.has(glyph));
  return { glyphs: kept, unmapped: kept.flatMap((glyph, index) => (unknown.has(glyph) ? [index] : [])) };
}
