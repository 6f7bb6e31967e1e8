import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type NeuralRecogniser,
  openNeural,
} from "../../../../../../functions/adapters/local/ocr/neural/neural-recogniser.ts";
import type { ReadWord } from "../../../../../../functions/adapters/local/ocr/tesseract-tsv.ts";
import { levelling, resample } from "../../../../../../functions/engine/imaging/affine.ts";
import { cutBox } from "../../../../../../functions/engine/imaging/gray-image.ts";
import type { Word } from "../../../../../../functions/ports/layout.ts";
import type { DrawnLine } from "../../../../../support/drawn-pdf.ts";
import { drawOcrPage } from "../../../../../support/ocr-page.ts";
import { paper } from "../../../../../support/pictures.ts";

const DPI = 150;
const LINES = [
  { text: "Received with thanks", x: 72, y: 700, size: 16 },
  { text: "Invoice 4711 of 12.03.2026", x: 72, y: 670, size: 12 },
  { text: "Total amount", x: 72, y: 640, size: 12 },
  { text: "1,204.50", x: 320, y: 640, size: 12 },
];

/** The head of a page with lines of text. */
async function drawHead(lines: readonly DrawnLine[]) {
  const { gray, words } = await drawOcrPage(lines, DPI);
  return { gray: cutBox(gray, { left: 0, top: 0, right: gray.width, bottom: 2.5 * DPI }), words };
}

const textsOf = (words: readonly ReadWord[]): string[] =>
  [...Map.groupBy(words, ({ line }) => line).values()].map((line) => line.map(({ text }) => text).join(" "));

/** The printed words with the boxes of words that were read in their places. */
const pairsOf = (read: readonly ReadWord[], printed: readonly Word[]) =>
  printed.map((word) => ({ word, found: read.find(({ box, text }) => text === word.text && meets(box, word.box)) }));

const meets = (a: Word["box"], b: Word["box"]): boolean =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

describe("openNeural", () => {
  let neural: NeuralRecogniser;
  beforeAll(async () => {
    neural = await openNeural();
  }, 60_000);
  afterAll(() => neural.close());

  test("reads lines from top to bottom, and puts a box on the ink of each word", async () => {
    const { gray, words } = await drawHead(LINES);
    const read = await neural.recognize(gray, DPI, () => true);
    expect(textsOf(read)).toEqual(LINES.map(({ text }) => text));
    for (const { word, found } of pairsOf(read, words)) {
      expect(found, word.text).toBeDefined();
      expect(Math.abs((found?.box.left ?? 0) - word.box.left), word.text).toBeLessThan(0.03);
      expect(Math.abs((found?.box.right ?? 0) - word.box.right), word.text).toBeLessThan(0.04);
      expect(found?.box.bottom, word.text).toBeLessThanOrEqual(word.box.bottom + 0.03);
      expect(found?.confidence, word.text).toBeGreaterThan(0.7);
    }
  });

  test("reads lines that are not level, as on a photo", async () => {
    const { gray } = await drawHead(LINES);
    const { width, height, back } = levelling(gray, 4, 1);
    const read = await neural.recognize(resample(gray, width, height, back), DPI, () => true);
    expect(read.map(({ text }) => text).toSorted()).toEqual(LINES.flatMap(({ text }) => text.split(" ")).toSorted());
  });

  test("reads white letters on a dark ground", async () => {
    const { gray } = await drawHead(LINES.slice(0, 1));
    const negative = { ...gray, pixels: gray.pixels.map((value) => 255 - value) };
    expect(textsOf(await neural.recognize(negative, DPI, () => true))).toEqual(["Received with thanks"]);
  });

  test("finds nothing on blank and on tiny pictures", async () => {
    expect(await neural.recognize(paper(300, 200), DPI, () => true)).toEqual([]);
    expect(await neural.recognize(paper(1, 1, 0), DPI, () => true)).toEqual([]);
  });

  test("stops between lines when its time is over", async () => {
    const { gray } = await drawHead(LINES);
    let left = 3;
    const read = await neural.recognize(gray, DPI, () => {
      left -= 1;
      return left >= 0;
    });
    expect(textsOf(read)).toEqual(["Received with thanks", "Invoice 4711 of 12.03.2026"]);
  });
});
