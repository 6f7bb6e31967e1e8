import { describe, expect, it } from "vitest";
import { Glyph, type TextStyle } from "../../../../../functions/engine/readers/pdf/glyph.ts";
import { accentOf } from "../../../../../functions/engine/readers/pdf/spacing-accents.ts";

const style: TextStyle = { size: 10, bold: false, angle: 0, hidden: false };
const glyph = (text: string, left: number, baseline = 100): Glyph =>
  Glyph.single(
    { left, top: baseline - 8, right: left + 5, bottom: baseline + 2 },
    { x: left, y: baseline },
    text,
    style,
    1,
  );

describe("accentOf", () => {
  it("writes an accent into the letter drawn after it", () => {
    const [accent, letter] = [glyph("´", 10), glyph("ı", 10.5)];
    expect(accentOf([accent], letter)).toBe(accent);
    expect(letter.text).toBe("í");
  });

  it("writes an accent behind the word into the letter that it stands over", () => {
    const word = [glyph("p", 10), glyph("a", 15), glyph("s", 20)];
    const accent = glyph("˚", 15, 98);
    expect(accentOf(word, accent)).toBe(accent);
    expect(word.map(({ text }) => text).join("")).toBe("pås");
  });

  it.each([
    ["beside a letter", glyph("´", 18)],
    ["over a letter of another line", glyph("´", 10, 88)],
    ["that no such letter has", glyph("ˇ", 10)],
    ["that is none", glyph("'", 10)],
  ])("leaves a sign %s", (_, sign) => {
    const letter = glyph("q", 10);
    expect(accentOf([letter], sign)).toBeUndefined();
    expect(letter.text).toBe("q");
  });
});
