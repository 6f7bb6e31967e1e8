import { describe, expect, it } from "vitest";
import { readDocument } from "../../../../functions/engine/readers/read-document.ts";
import { JOB_SENTENCES, JobFailure } from "../../../../functions/ports/errors.ts";
import { LAYOUT_VERSION } from "../../../../functions/ports/layout.ts";
import { PDF, PLAIN_TEXT, PNG, TIFF } from "../../../../functions/ports/media-types.ts";
import { lineTexts } from "../../../support/layout.ts";
import { drawnPdf } from "../../../support/pdf.ts";
import { scannedTiff } from "../../../support/scans.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const pages = (count: number): Promise<Uint8Array> =>
  drawnPdf(
    Array.from(
      { length: count },
      (_, index) =>
        (page, { regular }) =>
          page.drawText(`Page ${index + 1} here`, { x: 50, y: 700, size: 12, font: regular }),
    ),
  );

it("readDocument returns the layout and its facts", async () => {
  const { layout, facts } = await readDocument(await pages(3), { mimeType: PDF });
  expect(layout).toMatchObject({ v: LAYOUT_VERSION, provider: "pdf-text", logicalPages: false, pageCount: 3 });
  expect(facts).toMatchObject({ provider: "pdf-text", pageCount: 3, wordCount: 9, characterCount: 27 });
  expect(layout.pages.map((page) => page.number)).toEqual([1, 2, 3]);
});

it("readDocument reads the requested pages that exist", async () => {
  const { layout, facts } = await readDocument(await pages(3), { mimeType: PDF, pageRange: [3, 1, 7, 0, 1] });
  expect(layout.pages.map((page) => lineTexts(page)[0])).toEqual(["Page 1 here", "Page 3 here"]);
  expect(facts).toMatchObject({ pageCount: 3, wordCount: 6 });
});

describe("readDocument without text", () => {
  it.each([
    ["a PDF of blank pages", async () => drawnPdf([() => undefined]), PDF],
    ["blank text", async () => bytes(" \n\t\n\f "), PLAIN_TEXT],
  ] as const)("%s: fails with its sentence", async (_, make, mimeType) => {
    await expect(readDocument(await make(), { mimeType })).rejects.toThrow(JOB_SENTENCES.noText);
  });

  it.each([
    ["a PDF without text", async () => drawnPdf([(page) => page.drawSquare({ x: 50, y: 50, size: 100 })]), PDF],
    ["an image", async () => scannedTiff(await pages(2)), TIFF],
  ] as const)("%s: fails only when no OCR is to come", async (_, make, mimeType) => {
    const given = await make();
    const { pending, facts } = await readDocument(given, { mimeType });
    expect(pending).toEqual(Array.from({ length: facts.pageCount }, (_one, index) => index + 1));
    await expect(readDocument(given, { mimeType, ocr: "NONE" })).rejects.toThrow(JOB_SENTENCES.noText);
  });

  it("fails for a damaged image", async () => {
    await expect(readDocument(bytes("\x89PNG"), { mimeType: PNG })).rejects.toThrow(JOB_SENTENCES.corrupted);
  });

  it("fails for a range without an existing page, whatever the format", async () => {
    const sentence = /^Processing failed: The document has 1 page, and pageRange names none of them$/;
    await expect(readDocument(await pages(1), { mimeType: PDF, pageRange: [5] })).rejects.toThrow(sentence);
    const text = { mimeType: "text/plain", pageRange: [5, 0] };
    await expect(readDocument(bytes("Total: 5"), text)).rejects.toThrow(sentence);
    await expect(readDocument(bytes("Total: 5"), { ...text, mayBeEmpty: true })).rejects.toThrow(sentence);
  });
});

it("readDocument fails with its sentence for an unsupported type", async () => {
  await expect(readDocument(bytes("x"), { mimeType: "video/mp4" })).rejects.toThrow(JobFailure);
  await expect(readDocument(bytes("x"), { mimeType: "video/mp4" })).rejects.toThrow(JOB_SENTENCES.unsupported);
});
