import { PDFDocument, PDFNumber, PDFOperator, PDFOperatorNames, type PDFPage } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { TextLayerEvidence } from "../../../../../functions/engine/ocr/quality/page-evidence.ts";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import { textLayerEvidence } from "../../../../../functions/engine/readers/pdf/pdf-page-evidence.ts";
import { drawnPdf, mappedPdf, type PageOptions } from "../../../../support/pdf.ts";

const signsOf = (pdf: Uint8Array): Promise<TextLayerEvidence> =>
  withPdf(pdf, ({ withPage }) => withPage(0, (page) => textLayerEvidence(page)));
const drawn = async (draw: Parameters<typeof drawnPdf>[0][number], options?: PageOptions): Promise<TextLayerEvidence> =>
  signsOf(await drawnPdf([draw], options));

const grey = await sharp({ create: { width: 4, height: 4, channels: 3, background: "#888" } })
  .png()
  .toBuffer();

/** Pictures at these places: x, y, width, height in points. */
async function pictures(places: readonly number[][], options?: PageOptions): Promise<TextLayerEvidence> {
  const pdf = await drawnPdf([() => {}], options);
  const document = await PDFDocument.load(pdf);
  const image = await document.embedPng(grey);
  const page = document.getPage(0);
  for (const [x = 0, y = 0, width = 0, height = 0] of places) page.drawImage(image, { x, y, width, height });
  return signsOf(await document.save());
}

const invisible = (page: PDFPage): void =>
  page.pushOperators(PDFOperator.of(PDFOperatorNames.SetTextRenderingMode, [PDFNumber.of(3)]));

describe("textLayerEvidence", () => {
  it("reports an empty page as not drawn", async () => {
    expect(await drawn(() => {})).toEqual({
      pictureCover: 0,
      hiddenShare: 0,
      unmappedShare: 0,
      largestPicture: 0,
      drawn: false,
    });
  });

  it("reports a line alone as drawn", async () => {
    const signs = await drawn((page) => page.drawLine({ start: { x: 0, y: 0 }, end: { x: 100, y: 100 } }));
    expect(signs).toMatchObject({ pictureCover: 0, drawn: true });
  });

  it("counts the picture cover, each place once, without parts off the page", async () => {
    expect((await pictures([[0, 0, 612, 792]])).pictureCover).toBe(1);
    expect((await pictures([[0, 0, 306, 792]])).pictureCover).toBeCloseTo(0.5, 2);
    const twice = [0, 1].map(() => [0, 396, 306, 396]);
    expect((await pictures(twice)).pictureCover).toBeCloseTo(0.25, 2);
    expect((await pictures([[600, 780, 612, 792]])).pictureCover).toBeLessThan(0.01);
    expect((await pictures([[0, 0, 306, 792]], { rotate: 90 })).pictureCover).toBeCloseTo(0.5, 2);
    expect((await pictures([[100, 100, 200, 600]], { cropBox: [100, 100, 400, 600] })).pictureCover).toBeCloseTo(
      0.5,
      2,
    );
  });

  it("counts pictures in forms where the form draws them", async () => {
    const inner = await PDFDocument.create();
    const image = await inner.embedPng(grey);
    inner.addPage([100, 100]).drawImage(image, { x: 0, y: 0, width: 100, height: 100 });
    const outer = await PDFDocument.create();
    const [form] = await outer.embedPdf(await inner.save());
    const page = outer.addPage([400, 400]);
    if (form !== undefined) page.drawPage(form, { x: 200, y: 0, width: 200, height: 400 });
    expect((await signsOf(await outer.save())).pictureCover).toBeCloseTo(0.5, 2);
  });

  it("counts invisible text by characters", async () => {
    const signs = await drawn((page, { regular }) => {
      page.drawText("abcd", { x: 50, y: 700, size: 12, font: regular });
      invisible(page);
      page.drawText("ef gh ij kl mnop", { x: 50, y: 600, size: 12, font: regular });
    });
    expect(signs.hiddenShare).toBeCloseTo(12 / 16, 5);
  });

  it("counts characters without a meaning", async () => {
    const pdf = await mappedPdf("1 0 0 1 100 700 Tm <6162E0E1> Tj", {
      "61": "0061",
      "62": "0062",
      E0: "E000",
      E1: "FFFD",
    });
    expect((await signsOf(pdf)).unmappedShare).toBeCloseTo(0.5, 5);
  });
});
