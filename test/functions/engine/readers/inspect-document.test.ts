import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { inspectDocument } from "../../../../functions/engine/readers/inspect-document.ts";
import { UnprocessableEntity } from "../../../../functions/ports/errors.ts";
import { DOCX, JPEG, PDF, PLAIN_TEXT, PNG, TIFF } from "../../../../functions/ports/media-types.ts";
import { docx, wordParagraph, wordParts, zipOf } from "../../../support/office.ts";
import { drawnPdf, encryptedPdf, filteredPdf } from "../../../support/pdf.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: "white" } });

/** Two pages: the second directory is the first one again, at the file's end. */
function twoPageTiff(one: Uint8Array): Uint8Array {
  const view = new DataView(one.buffer, one.byteOffset, one.byteLength);
  const first = view.getUint32(4, true);
  const length = 2 + view.getUint16(first, true) * 12;
  const both = new Uint8Array(one.length + (one.length % 2) + length + 4);
  both.set(one);
  both.set(one.subarray(first, first + length), both.length - length - 4);
  new DataView(both.buffer).setUint32(first + length, both.length - length - 4, true);
  return both;
}

describe("inspectDocument on a PDF", () => {
  it("counts pages", async () => {
    const pdf = await drawnPdf([() => {}, () => {}, () => {}]);
    expect(await inspectDocument(pdf, PDF)).toEqual({ pageCount: 3 });
  });

  it("accepts an encrypted file", async () => {
    expect(await inspectDocument(filteredPdf("FooBar"), PDF)).toEqual({ pageCount: null });
    expect(await inspectDocument(await encryptedPdf({ user: "u", owner: "o" }), PDF)).toEqual({ pageCount: null });
    expect(await inspectDocument(await encryptedPdf({ owner: "o" }), PDF)).toEqual({ pageCount: 1 });
  });

  it("refuses a truncated file, and one with a trailer that points beyond its end", async () => {
    await expect(inspectDocument(bytes("%PDF-1.7\n1 0 obj <<"), PDF)).rejects.toThrow(UnprocessableEntity);
    await expect(inspectDocument(bytes("%PDF-1.7\nstartxref\n99999\n%%EOF"), PDF)).rejects.toThrow(/trailer/);
  });

  it("accepts a file with deeper damage", async () => {
    expect(await inspectDocument(bytes("%PDF-1.7\nstartxref\n5\n%%EOF"), PDF)).toEqual({ pageCount: null });
  });

  it("refuses a file without pages", async () => {
    const empty = await (await PDFDocument.create()).save({ addDefaultPage: false });
    await expect(inspectDocument(empty, PDF)).rejects.toThrow(/no pages/);
  });
});

describe("inspectDocument on office documents", () => {
  it("opens the directory and finds the main part", async () => {
    const whole = docx(wordParagraph("x"));
    expect(await inspectDocument(whole, DOCX)).toEqual({ pageCount: null });
    await expect(inspectDocument(whole.subarray(0, whole.length - 30), DOCX)).rejects.toThrow(UnprocessableEntity);
    const { "word/document.xml": _, ...headless } = wordParts("");
    await expect(inspectDocument(zipOf(headless), DOCX)).rejects.toThrow(/word\/document\.xml/);
  });
});

describe("inspectDocument on images", () => {
  it("reads only the header", async () => {
    const jpeg = await picture.clone().jpeg().toBuffer();
    const png = await picture.clone().png().toBuffer();
    const tiff = await picture.clone().tiff().toBuffer();
    expect(await inspectDocument(jpeg, JPEG)).toEqual({ pageCount: 1 });
    expect(await inspectDocument(png, PNG)).toEqual({ pageCount: 1 });
    expect(await inspectDocument(tiff, TIFF)).toEqual({ pageCount: 1 });
    expect(await inspectDocument(twoPageTiff(tiff), TIFF)).toEqual({ pageCount: 2 });
    for (const [broken, type] of [
      [jpeg.subarray(0, 20), JPEG],
      [png.subarray(0, 20), PNG],
      [tiff.subarray(0, 9), TIFF],
    ] as const) {
      await expect(inspectDocument(broken, type)).rejects.toThrow(UnprocessableEntity);
    }
  });

  it("refuses a chain of TIFF pages that loops", async () => {
    const tiff = new Uint8Array(await picture.clone().tiff().toBuffer());
    const view = new DataView(tiff.buffer);
    const first = view.getUint32(4, true);
    view.setUint32(first + 2 + view.getUint16(first, true) * 12, first, true);
    await expect(inspectDocument(tiff, TIFF)).rejects.toThrow(UnprocessableEntity);
  });
});

it("inspectDocument accepts any text and refuses an empty file", async () => {
  expect(await inspectDocument(bytes("x"), PLAIN_TEXT)).toEqual({ pageCount: null });
  await expect(inspectDocument(new Uint8Array(), PLAIN_TEXT)).rejects.toThrow(/empty/);
});
