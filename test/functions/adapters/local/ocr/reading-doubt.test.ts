import { expect, test } from "vitest";
import { isReadDoubtfully, medianLetterConfidence } from "../../../../../functions/adapters/local/ocr/reading-doubt.ts";
import type { ReadWord } from "../../../../../functions/adapters/local/ocr/tesseract-tsv.ts";

const word = (text: string, confidence: number): ReadWord => ({
  text,
  confidence,
  box: { left: 0, top: 0, right: 1, bottom: 1 },
  line: 0,
});

test("medianLetterConfidence: counts letters, not words or signs", () => {
  const words = [word("a", 0.2), word("b", 0.3), word("------", 0.1), word("letters", 0.9)];
  expect(medianLetterConfidence(words, 0)).toBe(0.9);
  expect(medianLetterConfidence([], 0)).toBe(0);
});

test("medianLetterConfidence: counts pieces of ink beyond the letters as unread", () => {
  const words = [word("sure", 0.96), word("less", 0.7)];
  expect(medianLetterConfidence(words, 8)).toBe(0.96);
  expect(medianLetterConfidence(words, 12)).toBe(0.7);
  expect(medianLetterConfidence(words, 20)).toBe(0);
});

test("isReadDoubtfully: a clean page is sure, also with some unread specks", () => {
  const page = [word("a".repeat(90), 0.96), word("b".repeat(10), 0.4)];
  expect(isReadDoubtfully(page, 120)).toBe(false);
  expect(isReadDoubtfully(page, 200)).toBe(true);
  expect(isReadDoubtfully([word("a".repeat(90), 0.9)], 90)).toBe(true);
});
