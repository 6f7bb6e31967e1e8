import { describe, expect, test } from "vitest";
import {
  certainLetters,
  meanConfidence,
  mergeWords,
  withoutNoise,
} from "../../../../../functions/adapters/local/ocr/merge-words.ts";
import { findStrayInk } from "../../../../../functions/adapters/local/ocr/stray-ink.ts";
import { parseTsv, type ReadWord } from "../../../../../functions/adapters/local/ocr/tesseract-tsv.ts";

const word = (text: string, confidence: number, left = 1, top = 1, width = 0.5, height = 0.15): ReadWord => ({
  text,
  confidence,
  box: { left, top, right: left + width, bottom: top + height },
  line: 0,
});

const texts = (words: readonly ReadWord[]): string[] => words.map(({ text }) => text);

describe("parseTsv", () => {
  const rows = [
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
    "1\t1\t0\t0\t0\t0\t0\t0\t1700\t2200\t-1\t",
    "4\t1\t1\t1\t1\t0\t100\t200\t500\t30\t-1\t",
    "5\t1\t1\t1\t1\t1\t100\t200\t80\t30\t96.5\tTotal",
    "5\t1\t1\t1\t1\t2\t200\t200\t60\t30\t40\t due ",
    "5\t1\t1\t1\t2\t1\t100\t240\t60\t30\t-3\tx",
  ];

  test("returns words in inches, with their lines", () => {
    expect(parseTsv(rows.join("\n"), 200)).toEqual([
      { text: "Total", confidence: 0.965, box: { left: 0.5, top: 1, right: 0.9, bottom: 1.15 }, line: 0 },
      { text: "due", confidence: 0.4, box: { left: 1, top: 1, right: 1.3, bottom: 1.15 }, line: 0 },
      { text: "x", confidence: 0, box: { left: 0.5, top: 1.2, right: 0.8, bottom: 1.35 }, line: 1 },
    ]);
  });

  test("ignores rows that are no words", () => {
    expect(parseTsv("", 200)).toEqual([]);
    expect(
      parseTsv("5\t1\t1\n5\t1\t1\t1\t1\t1\tNaN\t0\t9\t9\t90\tword\n5\t1\t1\t1\t1\t1\t5\t5\t0\t9\t90\tflat", 200),
    ).toEqual([]);
    expect(parseTsv(`5\t1\t1\t1\t1\t1\t5\t5\t9\t9\t900\t${"a".repeat(9000)}`, 200)).toMatchObject([
      { confidence: 1, text: "a".repeat(500) },
    ]);
    expect(parseTsv("5\t1\t1\t1\t1\t1\t5\t5\t9\t9\t90\ta\n".repeat(30_000), 200)).toHaveLength(20_000);
  });
});

describe("withoutNoise and certainLetters", () => {
  test("drop specks and rests of rules, keep signs and letters", () => {
    const words = [
      word("|", 0.6),
      word("__", 0.5),
      word("~", 0.2),
      word("x", 0.15),
      word("guess", 0.1),
      word("-", 0.95),
      word("€", 0.8),
      word("Zoltán", 0.2),
      word("7", 0.2),
    ];
    expect(texts(withoutNoise(words))).toEqual(["-", "€", "Zoltán", "7"]);
  });

  test("count letters and digits, long words more", () => {
    expect(certainLetters([word("ab-1", 0.5), word("...", 1)])).toBe(1.5);
    expect(certainLetters([word("abc", 0.4), word("xyz", 0.8)], 0.5)).toBeCloseTo(2.4, 9);
    expect(meanConfidence([word("a", 0.2), word("bcd", 1)])).toBeCloseTo(0.8, 9);
    expect(meanConfidence([])).toBe(0);
  });
});

describe("mergeWords", () => {
  test("keeps the surer reading of the same ink", () => {
    const merged = mergeWords(
      [word("Tolal", 0.4), word("due", 0.9, 2)],
      [word("Total", 0.9), word("doe", 0.5, 2)],
      0.02,
    );
    expect(texts(merged).sort()).toEqual(["Total", "due"]);
  });

  test("keeps words of only one pass, on a line of their own", () => {
    const merged = mergeWords([word("left", 0.9)], [word("right", 0.7, 4)], 0.02);
    expect(texts(merged)).toEqual(["left", "right"]);
    expect(new Set(merged.map(({ line }) => line)).size).toBe(2);
  });

  test("compares several words of one pass with one of the other", () => {
    const one = word("grosstotal", 0.8, 1, 1, 1);
    const two = [word("gross", 0.95, 1, 1, 0.48), word("total", 0.95, 1.52, 1, 0.48)];
    expect(texts(mergeWords([one], two, 0.02))).toEqual(["gross", "total"]);
    expect(texts(mergeWords(two, [one], 0.02))).toEqual(["gross", "total"]);
  });

  test("keeps a word of the row above where a box reaches into it, or is flat", () => {
    const above = word("week", 0.93, 2.6, 1, 0.15, 0.14);
    const inflated = word("occasional", 0.95, 2.5, 1.065, 0.35, 0.2);
    const flat = word("symptoms", 0.94, 2.6, 1.09, 0.28, 0.01);
    expect(texts(mergeWords([above], [inflated], 0.02))).toEqual(["week", "occasional"]);
    expect(texts(mergeWords([above], [flat], 0.02))).toEqual(["week", "symptoms"]);
    // The same word is one all the same, and so is a piece of it.
    expect(texts(mergeWords([word("occasionol", 0.6, 2.5, 1, 0.35)], [inflated], 0.02))).toEqual(["occasional"]);
    expect(texts(mergeWords([word("al", 0.6, 2.75, 1, 0.1)], [inflated], 0.02))).toEqual(["occasional"]);
  });

  test("stays fast on pages full of words", () => {
    const many = Array.from({ length: 20_000 }, (_, index) =>
      word("word", 0.5, index % 100, Math.floor(index / 100), 0.9),
    );
    const before = performance.now();
    expect(mergeWords(many, many, 0.02)).toHaveLength(20_000);
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

describe("mergeWords keeps lines whole", () => {
  const label = { ...word("Total", 0.9, 1), line: 3 };
  const guess = { ...word("12,5O", 0.3, 1.56), line: 3 };

  test("puts a better reading into the line and the place of the word that it replaces", () => {
    const [value, after] = [word("12,50", 0.9, 1.56), { ...word("EUR", 0.9, 2.1), line: 3 }];
    const merged = mergeWords([label, guess, after], [value], 0.02);
    expect(merged).toEqual([label, { ...value, line: 3 }, after]);
  });

  test("puts a word beside its neighbour, a space away, on either side", () => {
    const middle = { ...word("net", 0.9, 2), line: 3 };
    const [left, right] = [word("Total", 0.9, 1.4), word("price", 0.9, 2.6)];
    expect(texts(mergeWords([middle], [right, left], 0.02))).toEqual(["Total", "net", "price"]);
    expect(mergeWords([middle], [right, left], 0.02).map(({ line }) => line)).toEqual([3, 3, 3]);
  });

  test("leaves a word of another column or row in a line of its own", () => {
    const [column, row] = [word("12,50", 0.9, 1.7), { ...word("Tax", 0.9, 1, 1.3), line: 1 }];
    expect(mergeWords([label], [column, row], 0.02).map(({ line }) => line)).toEqual([3, 4, 5]);
  });
});

describe("findStrayInk", () => {
  test("finds the ink that no word covers", () => {
    const ink = Float32Array.from([220, 210, 30, 800, 800, 10]);
    expect(findStrayInk(ink, 200, [word("here", 0.9)])).toEqual({
      share: 0.25,
      pieces: 1,
      middles: [{ x: 800, y: 800, ink: 10 }],
      bounds: { left: 800, top: 800, right: 800, bottom: 800 },
    });
    expect(findStrayInk(ink, 200, [])).toMatchObject({
      share: 1,
      pieces: 2,
      bounds: { left: 220, top: 210, right: 800, bottom: 800 },
    });
    const none = findStrayInk(new Float32Array(), 200, [word("here", 0.9)]);
    expect(none).toEqual({ share: 0, pieces: 0, middles: [], bounds: undefined });
  });

  test("measures pages of any size", () => {
    const ink = Float32Array.from([220, 210, 30, 4_000_000, 4_000_000, 10]);
    expect(findStrayInk(ink, 200, []).share).toBe(1);
  });
});
