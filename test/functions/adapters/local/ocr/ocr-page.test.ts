import { describe, expect, test } from "vitest";
import { toOcrPage } from "../../../../../functions/adapters/local/ocr/ocr-page.ts";
import type { PageReading } from "../../../../../functions/adapters/local/ocr/read-picture.ts";
import type { ReadWord } from "../../../../../functions/adapters/local/ocr/tesseract-tsv.ts";
import { preparePicture } from "../../../../../functions/engine/imaging/prepare-picture.ts";
import { blockLines, lineText, pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import { paper } from "../../../../support/pictures.ts";

const FRAME = { width: 8.5, height: 11 };
const prepared = preparePicture(paper(1700, 2200), FRAME, {});

const word = (text: string, left: number, top: number, line: number, height = 0.12): ReadWord => ({
  text,
  confidence: 0.9,
  box: { left, top, right: left + text.length * 0.08, bottom: top + height },
  line,
});

const pageOf = (words: ReadWord[], more: Partial<PageReading["prepared"]> = {}) =>
  toOcrPage({ prepared: { ...prepared, ...more }, words, strayInk: 0.123_456 }, FRAME, 7);

describe("toOcrPage", () => {
  test("returns a page in the shape of the port", () => {
    const page = pageOf([word("Hello", 1, 1, 0), word("there", 1.5, 1, 0)]);
    expect(page).toMatchObject({
      page: { number: 7, ...FRAME, unit: "inch", rotation: 0 },
      roles: ["text"],
      tables: [],
      fields: [],
      strayInk: 0.1235,
    });
    expect(pageWords(page.page)).toMatchObject([
      { text: "Hello", confidence: 0.9, source: "ocr", box: { left: 1, top: 1, right: 1.4, bottom: 1.12 } },
      { text: "there" },
    ]);
  });

  test("cuts recognised lines at wide gaps and reads columns one after the other", () => {
    const column = (texts: string[], left: number, row: number): ReadWord[] => {
      let x = left;
      return texts.map((text) => {
        const one = word(text, x, 2 + row * 0.2, row);
        x = one.box.right + 0.06;
        return one;
      });
    };
    const words = Array.from({ length: 8 }, (_, row) => [
      ...column(["the", "quick", "brown", "fox", "jumps"], 1, row),
      ...column(["over", "some", "other", "lazy", "dogs"], 5, row),
    ]).flat();
    const lines = pageOf(words).page.blocks.flatMap((block) => blockLines(block).map(lineText));
    expect(lines).toHaveLength(16);
    expect(lines.slice(0, 8).every((line) => line === "the quick brown fox jumps")).toBe(true);
  });

  test("estimates the type's size from ascenders and descenders", () => {
    // Twelve points: an em of 1/6 inch, 0.71 of it from the baseline to the top of capitals.
    const [small, tall, deep] = ["name", "Hello", "page"].map((text, line) => {
      const ems = text === "name" ? 0.49 : text === "Hello" ? 0.71 : 0.49 + 0.21;
      return pageWords(pageOf([word(text, 1, 1, line, ems / 6)]).page)[0]?.fontSize;
    });
    expect([small, tall, deep]).toEqual([12, 12, 12]);
  });

  test("keeps the order of a script that runs to the left", () => {
    const page = pageOf([word("שלום", 3, 1, 0), word("לכם", 2.6, 1, 0), word("היום", 2.2, 1, 0)]);
    expect(page.page.blocks.flatMap((block) => blockLines(block).map(lineText))).toEqual(["שלום לכם היום"]);
  });

  test("keeps boxes within the page, and drops words beyond it", () => {
    const page = pageOf([word("edge", 8.3, 1, 0), word("gone", 9, 3, 1)]);
    expect(pageWords(page.page)).toMatchObject([{ text: "edge", box: { right: 8.5 } }]);
  });

  test("returns an empty page for no words", () => {
    expect(pageOf([])).toMatchObject({ page: { blocks: [] }, roles: [] });
  });
});
