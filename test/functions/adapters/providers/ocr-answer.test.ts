/** Answers of OCR providers: the contract, and answers that break it. */
import { describe, expect, it } from "vitest";
import { MAX_PAGE_WORDS, toOcrPage, UnusableAnswer } from "../../../../functions/adapters/providers/ocr-answer.ts";
import { blockLines } from "../../../../functions/engine/layout/page-words.ts";

const FRAME = { width: 8.5, height: 11 };
const word = (text: string, box: unknown, confidence: unknown = 0.9) => ({ text, box, confidence });
const read = (answer: unknown) => toOcrPage(Buffer.from(JSON.stringify(answer)), FRAME, 3);
const page = (...words: object[]) => ({ width: 850, height: 1100, lines: [{ words }] });

describe("an OCR provider's answer", () => {
  it("is a page of words with their places in inches", () => {
    const {
      page: read3,
      roles,
      angle,
    } = read({
      ...page(word("Invoice", [85, 100, 185, 120]), word(" SH-1 ", [200, 100, 260, 120], 0.5)),
      angle: 1.5,
    });
    expect(read3).toMatchObject({ number: 3, width: 8.5, height: 11, unit: "inch", rotation: 0 });
    const words = read3.blocks.flatMap(blockLines).flatMap((line) => line.words);
    expect(words).toEqual([
      { text: "Invoice", box: { left: 0.85, top: 1, right: 1.85, bottom: 1.2 }, confidence: 0.9, source: "ocr" },
      { text: "SH-1", box: { left: 2, top: 1, right: 2.6, bottom: 1.2 }, confidence: 0.5, source: "ocr" },
    ]);
    expect([roles.length, angle]).toEqual([read3.blocks.length, 1.5]);
  });

  it("cuts a line at the gap between columns, and boxes at the page's edge", () => {
    const words = [word("Item", [-10, 100, 60, 120]), word("Price", [700, 100, 860, 120])];
    const lines = read(page(...words)).page.blocks.flatMap(blockLines);
    expect(lines.map((line) => line.words.map(({ text }) => text))).toEqual([["Item"], ["Price"]]);
    expect(lines[0]?.words[0]?.box.left).toBe(0);
    expect(lines[1]?.words[0]?.box.right).toBe(8.5);
  });

  it("may have no words", () => {
    expect(read({ width: 1, height: 1, lines: [] }).page.blocks).toEqual([]);
    expect(read(page(word("   ", [0, 0, 5, 5]))).page.blocks).toEqual([]);
  });

  const secret = "a-secret-word";
  it.each([
    ["no JSON", `${secret}{`, "it is not JSON"],
    ["a list", [], "/ is missing or has a wrong value"],
    ["no size", { lines: [] }, "/width is missing or has a wrong value"],
    ["a size of nothing", { width: 0, height: 5, lines: [] }, "/width is missing or has a wrong value"],
    ["no numbers", page(word("a", [secret, 1, 2, 3])), "/lines/0/words/0/box/0 is missing or has a wrong value"],
    ["a number too large", page(word("a", [0, 0, 1e300, 3])), "/lines/0/words/0/box/2 is missing or has a wrong value"],
    [
      "a turned box",
      page(word("a", [9, 0, 5, 3])),
      "/lines/0/words/0/box is not [left, top, right, bottom] inside the picture",
    ],
    [
      "a box off the page",
      page(word("a", [900, 0, 990, 3])),
      "/lines/0/words/0/box is not [left, top, right, bottom] inside the picture",
    ],
    [
      "a wrong confidence",
      page(word("a", [0, 0, 5, 5], 96)),
      "/lines/0/words/0/confidence is missing or has a wrong value",
    ],
    [
      "a word of a book",
      page(word("a".repeat(501), [0, 0, 5, 5])),
      "/lines/0/words/0/text is missing or has a wrong value",
    ],
    [
      "too many words",
      page(...Array.from({ length: MAX_PAGE_WORDS + 1 }, () => word("a", [0, 0, 5, 5]))),
      `it has more than ${MAX_PAGE_WORDS} words`,
    ],
  ])("is refused with a sentence that quotes nothing of it: %s", (_name, answer, message) => {
    const bytes = Buffer.from(typeof answer === "string" ? answer : JSON.stringify(answer));
    expect(() => toOcrPage(bytes, FRAME, 1)).toThrow(new UnusableAnswer(message));
  });
});
