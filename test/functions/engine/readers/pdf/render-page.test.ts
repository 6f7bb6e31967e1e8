import { rgb } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { expect, it } from "vitest";
import { type PageImage, renderPage, renderPagePng } from "../../../../../functions/engine/readers/pdf/render-page.ts";
import { NotFound } from "../../../../../functions/ports/errors.ts";
import { drawnPdf, formPdf } from "../../../../support/pdf.ts";

const RED = rgb(1, 0, 0);
const squareAt = (x: number, y: number) => [
  (page: import("@cantoo/pdf-lib").PDFPage) =>
    page.drawRectangle({ x, y, width: 72, height: 72, color: RED, borderWidth: 0 }),
];

const pixel = ({ width, rgba }: PageImage, x: number, y: number): number[] => [
  ...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
];

it("renderPage draws the page at the requested resolution, white and opaque, in RGB order", async () => {
  const image = await renderPage(await drawnPdf(squareAt(72, 648)), 0, 100);
  expect([image.width, image.height]).toEqual([850, 1100]);
  expect(pixel(image, 150, 150)).toEqual([255, 0, 0, 255]);
  expect(pixel(image, 10, 10)).toEqual([255, 255, 255, 255]);
});

it("renderPage draws a page rotated and cropped, as shown", async () => {
  const image = await renderPage(
    await drawnPdf(squareAt(100, 500), { rotate: 90, cropBox: [100, 100, 400, 600] }),
    0,
    72,
  );
  expect([image.width, image.height]).toEqual([600, 400]);
  // The square's corner (0, 400 to 472 of the crop box) is shown at 400 to 472 from the left, at the top.
  expect(pixel(image, 436, 36)).toEqual([255, 0, 0, 255]);
  expect(pixel(image, 300, 36)).toEqual([255, 255, 255, 255]);
});

it("renderPage draws form field values", async () => {
  const dark = async (value: string): Promise<number> => {
    const image = await renderPage(await formPdf(value, { look: true }), 0, 72);
    let count = 0;
    for (let y = 78; y < 98; y += 1)
      for (let x = 152; x < 348; x += 1) if ((pixel(image, x, y)[0] ?? 255) < 128) count += 1;
    return count;
  };
  expect(await dark("WWWWWWWW")).toBeGreaterThan((await dark(" ")) + 50);
});

it("renderPagePng writes PNG", async () => {
  const png = await renderPagePng(await drawnPdf(squareAt(72, 648)), 0, 36);
  expect(await sharp(png).metadata()).toMatchObject({ format: "png", width: 306, height: 396, channels: 3 });
});

it("renderPage fails for a missing page and for one that is too large", async () => {
  const pdf = await drawnPdf(squareAt(0, 0));
  await expect(renderPage(pdf, 1, 72)).rejects.toThrow(NotFound);
  await expect(renderPage(pdf, -1, 72)).rejects.toThrow(NotFound);
  await expect(renderPage(await drawnPdf(squareAt(0, 0), { size: [14_000, 14_000] }), 0, 72)).rejects.toThrow(
    /too large/,
  );
});
