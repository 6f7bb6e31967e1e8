import { describe, expect, test } from "vitest";
import type { FormPageContent, FormWord } from "../../../../../functions/engine/forms/detect/form-page.ts";
import {
  completeLeaders,
  joinBrokenRules,
  lineParts,
} from "../../../../../functions/engine/forms/entries/lines-under-words.ts";

const EM = 10;

const word = (text: string, left: number, right: number, bottom = 100): FormWord => ({
  text,
  box: { left, top: bottom - EM, right, bottom },
  size: EM,
  line: 0,
});

const CONTENT: FormPageContent = {
  pageNumber: 1,
  width: 600,
  height: 800,
  angle: 0,
  frame: { left: 0, top: 0, right: 600, bottom: 800 },
  words: [],
  horizontal: [],
  vertical: [],
  fills: [],
  blanks: [],
  frames: [],
  rounds: [],
  squares: [],
  marks: [],
  underscores: [],
  leaders: [],
  widgets: [],
  isPicture: true,
};

describe("completeLeaders", () => {
  test("joins the pieces of a leader under the words written on it", () => {
    const words = [word("Signed", 10, 50), word("Marta", 60, 100), word("Kowalczyk", 105, 160)];
    const pieces = [
      { at: 101, from: 85, to: 108 },
      { at: 102, from: 145, to: 300 },
    ];
    expect(completeLeaders(pieces, words, EM)).toEqual([{ at: 101, from: 60, to: 300 }]);
  });

  test("keeps leaders apart that print stands between, and those of other rows", () => {
    const words = [word("born in", 200, 250)];
    const pieces = [
      { at: 101, from: 60, to: 200 },
      { at: 101, from: 250, to: 400 },
      { at: 131, from: 60, to: 200 },
    ];
    const found = completeLeaders(pieces, words, EM);
    expect(found).toHaveLength(3);
    expect(found).toEqual(expect.arrayContaining(pieces));
  });
});

describe("joinBrokenRules", () => {
  test("joins pieces of an oblique line, and no short lines side by side", () => {
    const pieces = [
      { at: 50, from: 20, to: 50, thickness: 1 },
      { at: 50.5, from: 57, to: 90 },
      { at: 51, from: 97, to: 150 },
    ];
    expect(joinBrokenRules(pieces)).toEqual([{ at: 50, from: 20, to: 150, thickness: 1 }]);
    const blanks = [
      { at: 50, from: 20, to: 30 },
      { at: 50, from: 37, to: 47 },
      { at: 60, from: 20, to: 60 },
    ];
    expect(joinBrokenRules(blanks)).toHaveLength(3);
  });
});

describe("lineParts", () => {
  test("parts a label from the value on the line behind it, and no words of one cell", () => {
    const [label, value, more] = [word("City", 20, 50), word("Old", 55, 80), word("Harbour", 85, 130)];
    const parts = lineParts({ ...CONTENT, leaders: [{ at: 102, from: 55, to: 300 }] }, EM);
    expect(parts(label, value)).toBe(true);
    expect(parts(value, more)).toBe(false);
    const inCell = lineParts({ ...CONTENT, horizontal: [{ at: 102, from: 10, to: 300 }] }, EM);
    expect(inCell(label, value)).toBe(false);
  });

  test("does not count lines far from the words", () => {
    const parts = lineParts({ ...CONTENT, horizontal: [{ at: 130, from: 55, to: 300 }] }, EM);
    expect(parts(word("City", 20, 50), word("Old", 55, 80))).toBe(false);
  });
});
