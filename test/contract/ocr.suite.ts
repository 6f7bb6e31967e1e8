/** The contract of OcrEngine. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blockLines } from "../../functions/engine/layout/page-words.ts";
import type { Clock } from "../../functions/ports/clock.ts";
import { JOB_SENTENCES, JobFailure, timeoutSentence } from "../../functions/ports/errors.ts";
import type { Box, Word } from "../../functions/ports/layout.ts";
import type { OcrEngine, OcrFrame, OcrLevel, OcrPage } from "../../functions/ports/ocr.ts";
import { drawOcrPage, drawPackingList, LETTER, type OcrTestPage } from "../support/ocr-page.ts";

export interface OcrSuiteSetup {
  clock: Clock;
  /** The job's limit that the driver was given, for its message. */
  jobTimeoutSeconds: number;
  open(): (OcrEngine & { close(): Promise<void> }) | Promise<OcrEngine & { close(): Promise<void> }>;
}

const wordsOf = ({ page }: OcrPage): Word[] =>
  page.blocks.flatMap((block) => blockLines(block).flatMap((line) => line.words));

/** Share of the truth's words that were read, each once. */
function recall(truth: readonly Word[], read: readonly Word[]): number {
  const left = read.map((word) => word.text);
  const found = truth.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return found.length / truth.length;
}

/** Words that occur once on the page, with the words that were read for them. */
function pairs(truth: readonly Word[], read: readonly Word[]): [Word, Word][] {
  const once = (words: readonly Word[], text: string): boolean =>
    words.filter((word) => word.text === text).length === 1;
  return truth.flatMap((word): [Word, Word][] => {
    const twin = read.find(({ text }) => text === word.text);
    return twin !== undefined && once(truth, word.text) && once(read, word.text) ? [[word, twin]] : [];
  });
}

/** The box on a page that was rotated clockwise with it. */
function turned({ left, top, right, bottom }: Box, { width, height }: OcrFrame, degrees: number): Box {
  if (degrees === 90) return { left: height - bottom, top: left, right: height - top, bottom: right };
  if (degrees === 180) return { left: width - right, top: height - bottom, right: width - left, bottom: height - top };
  if (degrees === 270) return { left: top, top: width - right, right: bottom, bottom: width - left };
  return { left, top, right, bottom };
}

export function ocrEngineSuite(name: string, { clock, jobTimeoutSeconds, open }: OcrSuiteSetup): void {
  describe(`OcrEngine: ${name}`, () => {
    let engine: OcrEngine & { close(): Promise<void> };
    let letter: OcrTestPage;
    beforeAll(async () => {
      engine = await open();
      letter = await drawOcrPage(LETTER);
    });
    afterAll(() => engine.close());

    const read = async (
      bytes: Uint8Array,
      frame = letter.frame,
      level: OcrLevel = "DEFAULT",
      time = 60_000,
    ): Promise<OcrPage> => {
      const limits = { deadline: clock.now() + time };
      const { page, use } = await engine.recognize({ bytes, pageNumber: 3, frame }, level, limits);
      expect(use).toMatchObject({ pages: 1, provider: expect.any(String), operation: expect.any(String) });
      return page;
    };
    const failureOf = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => "no error",
        (error: unknown) => error,
      );

    /** Expects every word at its place, to 3 % of the page. */
    const expectInPlace = (page: OcrPage, degrees: number): void => {
      const found = pairs(letter.words, wordsOf(page));
      expect(found.length).toBeGreaterThan(30);
      for (const [drawn, word] of found) {
        const box = turned(drawn.box, letter.frame, degrees);
        for (const side of ["left", "top", "right", "bottom"] as const) {
          const whole = side === "left" || side === "right" ? page.page.width : page.page.height;
          expect(Math.abs(word.box[side] - box[side]), `${side} of ${word.text}`).toBeLessThan(0.03 * whole);
        }
      }
    };

    test("OcrEngine reads words with boxes and confidence, in lines and blocks", async () => {
      const page = await read(letter.png);
      expect(page.page).toMatchObject({ number: 3, unit: "inch", rotation: 0, ...letter.frame });
      expect(recall(letter.words, wordsOf(page))).toBeGreaterThan(0.97);
      for (const { text, box, confidence } of wordsOf(page)) {
        expect(text.trim()).toBe(text);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
        expect(box.left).toBeGreaterThanOrEqual(0);
        expect(box.top).toBeGreaterThanOrEqual(0);
        expect(box.right).toBeLessThanOrEqual(letter.frame.width);
        expect(box.bottom).toBeLessThanOrEqual(letter.frame.height);
        expect(box.right).toBeGreaterThan(box.left);
        expect(box.bottom).toBeGreaterThan(box.top);
      }
      expect(page.roles).toHaveLength(page.page.blocks.length);
      expect(page.page.blocks.length).toBeGreaterThanOrEqual(2);
      expect(page.angle).toBeCloseTo(0, 0);
      expectInPlace(page, 0);
    });

    test("OcrEngine keeps the reading order", async () => {
      const texts = wordsOf(await read(letter.png)).map(({ text }) => text);
      expect(texts.join(" ")).toContain("which is a little more than in the year before.");
    });

    test.each([true, false])("OcrEngine reads single figures in their own cells, ruled: %s", async (ruled) => {
      const { page, columns } = await drawPackingList(ruled);
      const words = wordsOf(await read(page.png, page.frame));
      for (const { left, right, texts } of columns) {
        const own = words.filter(({ box }) => box.left >= left && box.right <= right);
        const rows = own.sort((a, b) => a.box.top - b.box.top).map(({ text }) => text);
        expect(rows).toEqual(texts);
      }
    });

    test.each([90, 180, 270])(
      "OcrEngine reads a page rotated by %i degrees, and reports the rotation",
      async (degrees) => {
        const bytes = await sharp(letter.png).rotate(degrees).png().toBuffer();
        const { width, height } = letter.frame;
        const page = await read(bytes, degrees === 180 ? letter.frame : { width: height, height: width });
        expect(recall(letter.words, wordsOf(page))).toBeGreaterThan(0.9);
        expect(Math.abs(page.angle - (degrees === 270 ? -90 : degrees))).toBeLessThan(1);
        expectInPlace(page, degrees);
      },
    );

    test("OcrEngine reads a skewed page, and reports the angle", async () => {
      const bytes = await sharp(letter.png).rotate(3, { background: "white" }).png().toBuffer();
      const { width, height } = await sharp(bytes).metadata();
      const page = await read(bytes, { width: width / 200, height: height / 200 });
      expect(recall(letter.words, wordsOf(page))).toBeGreaterThan(0.9);
      expect(page.angle).toBeGreaterThan(2.5);
      expect(page.angle).toBeLessThan(3.5);
    });

    test.each(["LOW", "PREMIUM"] as const)("OcrEngine reads at level %s", async (level) => {
      expect(recall(letter.words, wordsOf(await read(letter.png, letter.frame, level)))).toBeGreaterThan(0.95);
    });

    test("OcrEngine reads a JPEG in colour", async () => {
      const bytes = await sharp(letter.png).tint("#203080").jpeg({ quality: 70 }).toBuffer();
      expect(recall(letter.words, wordsOf(await read(bytes)))).toBeGreaterThan(0.9);
    });

    test("OcrEngine finds no words on an empty page", async () => {
      const bytes = await sharp({ create: { width: 850, height: 1100, channels: 3, background: "white" } })
        .png()
        .toBuffer();
      const page = await read(bytes);
      expect(wordsOf(page)).toEqual([]);
      expect(page).toMatchObject({ roles: [], tables: [], fields: [], angle: 0 });
    });

    test("OcrEngine reads concurrent pictures independently", async () => {
      const other = await drawOcrPage([{ text: "Another page altogether", x: 72, y: 700, size: 14 }]);
      const [first, second, third] = await Promise.all([read(letter.png), read(other.png), read(letter.png)]);
      expect(wordsOf(second).map(({ text }) => text)).toEqual(["Another", "page", "altogether"]);
      expect(first).toEqual(third);
    });

    test("OcrEngine reports a broken picture", async () => {
      for (const bytes of [Buffer.from("no picture at all"), letter.png.subarray(0, 40)]) {
        const error = await failureOf(read(new Uint8Array(bytes)));
        expect(error).toBeInstanceOf(JobFailure);
        expect(error).toMatchObject({ message: JOB_SENTENCES.corrupted });
      }
    });

    test("OcrEngine reports a timeout", async () => {
      const error = await failureOf(read(letter.png, letter.frame, "DEFAULT", -1));
      expect(error).toBeInstanceOf(JobFailure);
      expect(error).toMatchObject({ message: timeoutSentence(jobTimeoutSeconds) });
    });
  });
}
