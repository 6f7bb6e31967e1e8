import { describe, expect, test } from "vitest";
import { wordsOfLine } from "../../../../../../functions/adapters/local/ocr/neural/line-words.ts";
import { scaling } from "../../../../../../functions/engine/imaging/affine.ts";
import { fill, paper } from "../../../../../support/pictures.ts";

/** Letters as bars of 12 × 24 pixels, each with so many pixels of paper behind it. */
function drawLetters(letters: readonly (readonly [text: string, behind: number])[]) {
  const gray = paper(20 + letters.reduce((sum, [, behind]) => sum + 12 + behind, 0), 48);
  let x = 10;
  const characters = letters.map(([text, behind]) => {
    fill(gray, x, 12, x + 12, 36);
    const character = { text, confidence: 0.9, x: x + 6 };
    x += 12 + behind;
    return character;
  });
  return { crop: { gray, toPicture: { ...scaling(0.5, 0.5), e: 100, f: 200 } }, characters };
}

const SPACE = { text: " ", confidence: 0.8, x: 0 };

describe("wordsOfLine", () => {
  test("parts words at the spaces that are read, and puts boxes on their ink", () => {
    const { crop, characters } = drawLetters([
      ["a", 4],
      ["b", 9],
      ["c", 4],
      ["d", 0],
    ]);
    const [a, b, c, d] = characters.map((character) => [character]);
    const words = wordsOfLine(
      crop,
      [a, b, [SPACE], c, d].flatMap((some) => some ?? []),
    );
    expect(words).toEqual([
      { text: "ab", confidence: 0.9, box: { left: 105, top: 206, right: 119, bottom: 218 } },
      { text: "cd", confidence: 0.9, box: { left: 123.5, top: 206, right: 137.5, bottom: 218 } },
    ]);
  });

  test("parts words at a gap much wider than those between letters", () => {
    const { crop, characters } = drawLetters([
      ["T", 3],
      ["o", 3],
      ["t", 18],
      ["A", 3],
      ["m", 0],
    ]);
    expect(wordsOfLine(crop, characters).map(({ text }) => text)).toEqual(["Tot", "Am"]);
  });

  test("keeps a word whole whose letters stand wide apart", () => {
    const { crop, characters } = drawLetters([
      ["T", 12],
      ["O", 13],
      ["T", 12],
      ["A", 12],
      ["L", 0],
    ]);
    expect(wordsOfLine(crop, characters).map(({ text }) => text)).toEqual(["TOTAL"]);
  });

  test("keeps a number whole whose narrow figures stand in the middle of their widths", () => {
    const gray = paper(264, 48);
    const characters = [..."4112345678"].map((text, at) => ({ text, confidence: 0.9, x: 24 + at * 24 }));
    for (const { text, x } of characters) fill(gray, x - (text === "1" ? 3 : 10), 12, x + (text === "1" ? 3 : 10), 36);
    const words = wordsOfLine({ gray, toPicture: scaling(1, 1) }, characters);
    expect(words.map(({ text }) => text)).toEqual(["4112345678"]);
  });

  test("writes full-width forms in ASCII, except beside Chinese letters", () => {
    const line = (texts: string[]): string[] => {
      const { crop, characters } = drawLetters(texts.map((text) => [text, 2]));
      return wordsOfLine(crop, characters).map(({ text }) => text);
    };
    expect(line(["N", "o", "：", "（", "5", "）", "，"])).toEqual(["No:(5),"]);
    expect(line(["合", "计", "："])).toEqual(["合计："]);
  });

  test("has no words without characters", () => {
    expect(wordsOfLine(drawLetters([]).crop, [])).toEqual([]);
  });
});
