import { describe, expect, it } from "vitest";
import { PDF, PLAIN_TEXT, PNG } from "../../../../functions/core/documents/media-types.ts";
import { readDocument } from "../../../../functions/core/documents/read.ts";
import { JOB_SENTENCES, JobFailure } from "../../../../functions/core/errors.ts";
import { lineTexts } from "../../../support/layout.ts";
import { drawnPdf, textPdf } from "../../../support/pdf.ts";

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

it("gives the layout and its facts", async () => {
  const { layout, facts } = await readDocument(await pages(3), { mimeType: PDF });
  expect(layout).toMatchObject({ v: 2, provider: "pdf-text", logicalPages: false, pageCount: 3 });
  expect(facts).toEqual({ provider: "pdf-text", pageCount: 3, wordCount: 9, characterCount: 27 });
  expect(layout.pages.map((page) => page.number)).toEqual([1, 2, 3]);
});

it("reads the pages that were asked for and that exist", async () => {
  const { layout, facts } = await readDocument(await pages(3), { mimeType: PDF, pageRange: [3, 1, 7, 0, 1] });
  expect(layout.pages.map((page) => lineTexts(page)[0])).toEqual(["Page 1 here", "Page 3 here"]);
  expect(facts).toMatchObject({ pageCount: 3, wordCount: 6 });
});

describe("nothing to read", () => {
  it.each([
    ["a PDF without text", async () => drawnPdf([(page) => page.drawSquare({ x: 50, y: 50, size: 100 })]), PDF],
    ["a PDF of spaces", async () => textPdf([{ text: "   ", x: 50, y: 700 }]), PDF],
    ["an image", async () => bytes("\x89PNG"), PNG],
    ["blank text", async () => bytes(" \n\t\n\f "), PLAIN_TEXT],
  ] as const)("%s fails as such", async (_, make, mimeType) => {
    await expect(readDocument(await make(), { mimeType })).rejects.toThrow(JOB_SENTENCES.noText);
  });

  it("a range without an existing page too", async () => {
    await expect(readDocument(await pages(1), { mimeType: PDF, pageRange: [5] })).rejects.toThrow(JOB_SENTENCES.noText);
  });
});

it("a type that is not read fails as such", async () => {
  await expect(readDocument(bytes("x"), { mimeType: "video/mp4" })).rejects.toThrow(JobFailure);
  await expect(readDocument(bytes("x"), { mimeType: "video/mp4" })).rejects.toThrow(JOB_SENTENCES.unsupported);
});
