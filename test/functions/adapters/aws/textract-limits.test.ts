/** Requests to Textract stay within its published quotas, and results are at their place on the page. */
import { TextractClient } from "@aws-sdk/client-textract";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { afterEach, describe, expect, it } from "vitest";
import { openTextract } from "../../../../functions/adapters/aws/textract.ts";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { parseLayout } from "../../../../functions/engine/layout/layout-file.ts";
import { pageWords } from "../../../../functions/engine/layout/page-words.ts";
import { pagePicture } from "../../../../functions/engine/readers/page-pictures.ts";
import { run as picture } from "../../../../functions/engine/tasks/picture.run.ts";
import { run as picturesPdf } from "../../../../functions/engine/tasks/pictures-pdf.run.ts";
import type { Layout } from "../../../../functions/ports/layout.ts";
import type { OcrLevel } from "../../../../functions/ports/ocr.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { createJob } from "../../../../functions/service/runs/job-store.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { directEngine } from "../../../support/engines.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { answer, type Request, talkingTo } from "./json-exchange.ts";
import { drawPage, engineOf } from "./textract.support.ts";

const PDF = "application/pdf";
const PNG = "image/png";
/** "Set Quotas in Amazon Textract"; bytes by the reference of `Document`. */
const MOST = { side: 10_000, bytes: 5 * 2 ** 20, inches: 40 };

const { engine } = engineOf(() => answer({}));
const { maxImageBytes: maxBytes, maxSide } = engine;

const pdfOf = async (...inches: [number, number][]): Promise<Uint8Array> => {
  const document = await PDFDocument.create();
  for (const [width, height] of inches) document.addPage([width * 72, height * 72]).drawText("Total", { x: 9, y: 99 });
  return document.save();
};

const screenshot = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "white" } })
    .png()
    .toBuffer();

async function picturesOf(bytes: Uint8Array, mimeType: string, level: OcrLevel) {
  const sizes: { width: number; height: number; inches: number }[] = [];
  for (let [strip, count] = [0, 1]; strip < count; strip += 1) {
    const options = { mimeType, pageNumber: 1, level, maxBytes, maxSide, strip };
    const drawn = await picture.run({ bytes, options });
    const { width, height } = await sharp(drawn.bytes).metadata();
    expect(Math.max(width, height)).toBeLessThanOrEqual(MOST.side);
    expect(drawn.bytes.length).toBeLessThanOrEqual(MOST.bytes);
    // The picture has the frame's shape, or boxes would be elsewhere.
    expect(Math.abs(width / height / (drawn.frame.width / drawn.frame.height) - 1)).toBeLessThan(0.01);
    count = drawn.strip?.count ?? 1;
    sizes.push({ width, height, inches: drawn.frame.height });
  }
  return sizes;
}

describe("a picture for Textract", () => {
  it("is as large as the quota allows for a long receipt", async () => {
    const [receipt, ...none] = await picturesOf(await pdfOf([1.575, 45]), PDF, "PREMIUM");
    expect(none).toEqual([]);
    expect(receipt).toEqual({ width: 350, height: 10_000, inches: 45 });
  });

  it("is split into strips, as large as they are legible, when too small to read whole", async () => {
    const strips = await picturesOf(await pdfOf([1, 100]), PDF, "PREMIUM");
    expect(strips).toHaveLength(2);
    for (const { width } of strips) expect(width).toBeGreaterThan(150);
    expect(await picturesOf(await screenshot(400, 10_000), PNG, "DEFAULT")).toEqual([
      { width: 400, height: 10_000, inches: 50 },
    ]);
    const shots = await picturesOf(await screenshot(400, 14_000), PNG, "PREMIUM");
    expect(shots.map(({ width }) => width)).toEqual([400, 400]);
  });

  it("of a strip shows that part of the page", async () => {
    const bands = await sharp({ create: { width: 200, height: 14_000, channels: 3, background: "white" } })
      .composite([
        { input: await screenshot(200, 100).then((one) => sharp(one).negate().png().toBuffer()), left: 0, top: 13_000 },
      ])
      .png()
      .toBuffer();
    const limits = { maxSide };
    const strip = await pagePicture(bands, PNG, 0, { dpi: 200, format: "png", strip: { index: 1, limits } });
    expect(strip.strip).toMatchObject({ index: 1, count: 2, left: 0, top: 34.5 });
    const { data } = await sharp(strip.bytes).grayscale().raw().toBuffer({ resolveWithObject: true });
    const black = Array.from({ length: strip.height }, (_, row) => row).filter(
      (row) => (data[row * strip.width] ?? 255) < 128,
    );
    expect([black[0], black.length]).toEqual([13_000 - 34.5 * 200, 100]);
  });
});

describe("a PDF of pictures for Textract", () => {
  const { documents } = engine;
  const draw = async (bytes: Uint8Array, pageNumbers: number[], change: Partial<typeof documents> = {}) => {
    const limits = { ...documents, maxSide, ...change };
    return picturesPdf.run({ bytes, options: { mimeType: PDF, pageNumbers, level: "LOW", limits } });
  };

  it("has no page longer than 40 inches: some are scaled, others split", async () => {
    expect(documents).toMatchObject({ maxPageInches: 40, maxBytes: 524_288_000, maxPages: 3_000 });
    const { pdf, views } = await draw(await pdfOf([6, 46.8], [2, 60], [8.5, 11]), [1, 2, 3]);
    expect(views.map(({ pageNumber, strip }) => [pageNumber, strip?.index])).toEqual([
      [1, undefined],
      [2, 0],
      [2, 1],
      [3, undefined],
    ]);
    const pages = (await PDFDocument.load(pdf)).getPages();
    expect(pages).toHaveLength(4);
    for (const [index, page] of pages.entries()) {
      const [width, height] = [page.getWidth() / 72, page.getHeight() / 72];
      expect(Math.max(width, height)).toBeLessThanOrEqual(MOST.inches + 1e-6);
      const { frame } = views[index] ?? { frame: { width: 1, height: 1 } };
      expect(width / height).toBeCloseTo(frame.width / frame.height, 3);
    }
  });

  it("has as many bytes as allowed, and no more pages", async () => {
    const bytes = await pdfOf(...Array.from({ length: 4 }, (): [number, number] => [8.5, 11]));
    const all = [1, 2, 3, 4];
    const { pdf } = await draw(bytes, all, { maxBytes: 60_000 });
    expect(pdf.length).toBeLessThanOrEqual(60_000);
    await expect(draw(bytes, all, { maxPages: 3 })).rejects.toThrow(
      "Processing failed: Text recognition takes 3 pages at once; choose fewer by pageRange",
    );
  });
});

describe("a recognition in strips", () => {
  let at: TestPlatform;
  afterEach(() => at.close());

  async function run(bytes: Uint8Array, mimeType: string, reply: (request: Request) => unknown): Promise<Layout> {
    const clock = systemClock();
    const client = new TextractClient(talkingTo((request) => answer(reply(request))));
    at = testPlatform(directEngine, openTextract({ client, clock, jobTimeoutSeconds: 60, bucket: "documents" }));
    const { guid } = await createJob(at.org, { bytes, mimeType, fileName: null });
    const more = { sourceLocations: false, granularity: "word", format: "plain" } as const;
    await openRun(at.org, guid, { v: 1, mode: "OCR", ocr: "DEFAULT", mimeType, ...more });
    const job = await waitForEnd(at.org, guid, 20_000);
    expect(job.error).toBeNull();
    return parseLayout((await at.org.blobs.get(job.runs.at(-1)?.layoutKey ?? "")) ?? new Uint8Array());
  }

  it("has the words of every strip at their place on the page", async () => {
    let sent = 0;
    const layout = await run(await screenshot(200, 28_000), PNG, ({ operation, body }) => {
      sent += 1;
      expect(operation).toBe("DetectDocumentText");
      const picture = Buffer.from((body.Document as { Bytes: string }).Bytes, "base64");
      // Width and height of a PNG's header.
      expect(Math.max(picture.readUInt32BE(16), picture.readUInt32BE(20))).toBeLessThanOrEqual(MOST.side);
      expect(picture.length).toBeLessThanOrEqual(MOST.bytes);
      // Five inches from the strip's top.
      const drawn = drawPage({ width: 1, height: 280 / 6 + 2 / 3 });
      drawn.line(`strip ${sent}`, 0.05, 5);
      return { DocumentMetadata: { Pages: 1 }, Blocks: drawn.blocks };
    });
    expect(sent).toBe(3);
    const [page] = layout.pages;
    expect(page).toMatchObject({ number: 1, width: 1, height: 140 });
    const words = page === undefined ? [] : pageWords(page);
    expect(words.map(({ text }) => text)).toEqual(["strip", "1", "strip", "2", "strip", "3"]);
    const step = (140 - 1) / 3;
    for (const strip of [0, 1, 2]) expect(words[strip * 2]?.box.top).toBeCloseTo(5 + strip * step, 1);
  });
});
