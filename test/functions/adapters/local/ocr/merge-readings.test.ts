import { describe, expect, test } from "vitest";
import { mergeReadings } from "../../../../../functions/adapters/local/ocr/merge-readings.ts";
import type { ReadWord } from "../../../../../functions/adapters/local/ocr/tesseract-tsv.ts";

/** A word at a place in a row of letters a tenth of an inch wide. */
const word = (text: string, at: number, confidence: number, line = 0, letters = text.length): ReadWord => ({
  text,
  confidence,
  box: { left: at / 10, top: 0.5 * line + 1, right: (at + letters) / 10, bottom: 0.5 * line + 1.15 },
  line,
});

const textOf = (words: readonly ReadWord[]): string => words.map(({ text }) => text).join(" ");

describe("mergeReadings", () => {
  test("keeps the first reading's accents and spaces where the letters agree, surer than either", () => {
    const first = [word("Café", 0, 0.5), word("Müller", 5, 0.6)];
    const merged = mergeReadings(first, [word("CafeMuller", 0, 0.95, 0, 11)]);
    expect(merged.map(({ text, confidence }) => [text, confidence])).toEqual([
      ["Café", expect.closeTo(1 - 0.5 * 0.05, 6)],
      ["Müller", expect.closeTo(1 - 0.4 * 0.05, 6)],
    ]);
  });

  test("takes the surer reading of a place", () => {
    const first = [word("T0tol", 0, 0.4), word("12.50", 8, 0.9)];
    expect(textOf(mergeReadings(first, [word("Total", 0, 0.9), word("l2.5O", 8, 0.7)]))).toBe("Total 12.50");
  });

  test("is less sure of a reading the surer its rival is", () => {
    const confidenceBeside = (rival: number): number =>
      mergeReadings([word("12.50", 0, rival)], [word("17.50", 0, 0.95)])[0]?.confidence ?? 0;
    expect(confidenceBeside(0.2)).toBeGreaterThan(0.93);
    expect(confidenceBeside(0.9)).toBeLessThan(0.7);
  });

  test("gives the surer second reading the accents and spaces of the first, where letters agree", () => {
    const merged = mergeReadings(
      [word("Fromagé", 0, 0.5), word("blonc", 8, 0.3)],
      [word("Fromageblanc", 0, 0.95, 0, 13)],
    );
    expect(textOf(merged)).toBe("Fromagé blanc");
    expect(merged[0]?.box.right).toBeLessThanOrEqual(merged[1]?.box.left ?? 0);
  });

  test("adds words that only the second has read, unless they are guesses", () => {
    const second = [word("Total", 0, 0.9), word("9.99", 8, 0.8), word("il", 14, 0.3)];
    expect(textOf(mergeReadings([word("Total", 0, 0.9)], second))).toBe("Total 9.99");
  });

  test("drops words that the first has read in a picture's grain, and keeps sure ones", () => {
    const first = [word("ws", 0, 0.4, 1), word("Küche", 4, 0.9, 1), word("Total", 0, 0.9, 2)];
    expect(
      textOf(mergeReadings(first, [word("Total", 0, 0.9, 2)]))
        .split(" ")
        .sort(),
    ).toEqual(["Küche", "Total"]);
  });

  test("puts words in the lines of the second reading, from the left", () => {
    const first = [word("Sum", 0, 0.9), word("4.20", 12, 0.9, 0)];
    const second = [word("Sum", 0, 0.9), { ...word("4.20", 12, 0.9), line: 7 }];
    expect(mergeReadings(first, second).map(({ text, line }) => [text, line])).toEqual([
      ["Sum", 0],
      ["4.20", 7],
    ]);
  });

  test("takes either reading alone as it is", () => {
    expect(textOf(mergeReadings([], [word("Total", 0, 0.9)]))).toBe("Total");
    expect(textOf(mergeReadings([word("Total", 0, 0.9)], []))).toBe("Total");
  });

  test("stays fast where one reads grain as thousands of words", () => {
    const grain = Array.from({ length: 5_000 }, (_, at) => word("x", at % 80, 0.3, Math.floor(at / 80) % 20));
    const started = performance.now();
    mergeReadings(grain, [word("Total", 0, 0.9), ...grain.slice(0, 1_000)]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
