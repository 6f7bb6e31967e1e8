import { describe, expect, it } from "vitest";
import {
  decimalsPattern,
  digitsPattern,
  paddedPattern,
  wordsPattern,
} from "../../../../functions/engine/values/text-patterns.ts";

const BOUNDS: [number, number][] = [
  [0, 0],
  [0, 9],
  [1, 2],
  [7, 13],
  [64, 320],
  [64, 32_000],
  [99, 1001],
  [120, 129],
  [1234, 1987],
];

describe("a pattern of digits", () => {
  it.each(BOUNDS)("from %i to %i has these integers and no others", (least, most) => {
    const pattern = new RegExp(`^(?:${digitsPattern(least, most)})$`);
    for (let number = 0; number <= most + 1_200; number += 1) {
      if (pattern.test(String(number)) !== (number >= least && number <= most)) expect.fail(`${number}`);
    }
    expect(pattern.test("")).toBe(false);
    expect(pattern.test(`0${most}`)).toBe(false);
  });

  it("ends where a double no longer holds each integer", () => {
    const pattern = new RegExp(`^(?:${digitsPattern(1, Number.MAX_SAFE_INTEGER)})$`);
    expect(["999999999999999", "1000000000000000", "0"].map((text) => pattern.test(text))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("a pattern of decimal numbers", () => {
  it("goes from 0 to its highest number", () => {
    const pattern = new RegExp(paddedPattern(decimalsPattern(2)));
    for (const text of ["0", "1", "2", "0.5", " 1.999 ", "2.000", "00.5", "\t2\n"]) expect(text).toMatch(pattern);
    for (const text of ["-1", "2.01", "3", "10", ".5", "1.", "1e0", "", " "]) expect(text).not.toMatch(pattern);
  });
});

describe("a pattern of words", () => {
  it("has them in any case, and - and _ alike", () => {
    const pattern = new RegExp(paddedPattern(wordsPattern(["ocr-correct", "1"])));
    for (const text of ["OCR_correct", " ocr-correct", "1"]) expect(text).toMatch(pattern);
    for (const text of ["ocr correct", "ocr-correct1", ""]) expect(text).not.toMatch(pattern);
  });
});
