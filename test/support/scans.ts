/** Documents without text: pages drawn by our own code, turned into pictures. */
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import type { GrayImage } from "../../functions/engine/imaging/gray-image.ts";
import { renderPagePng } from "../../functions/engine/readers/pdf/render-page.ts";

const SCAN_DPI = 150;

/** Pages of a PDF as PNG files. */
export async function picturesOf(pdf: Uint8Array, dpi = SCAN_DPI): Promise<Uint8Array[]> {
  const { getPageCount } = await PDFDocument.load(pdf).then((document) => ({
    getPageCount: () => document.getPageCount(),
  }));
  const pictures: Uint8Array[] = [];
  for (let index = 0; index < getPageCount(); index += 1) pictures.push(await renderPagePng(pdf, index, dpi));
  return pictures;
}

/** The same pages as a scanner gives them: only pictures. @param keep indexes of pages that keep their text */
export async function scannedPdf(pdf: Uint8Array, keep: readonly number[] = []): Promise<Uint8Array> {
  const pictures = await picturesOf(pdf);
  const source = await PDFDocument.load(pdf);
  const scan = await PDFDocument.create({ updateMetadata: false });
  for (const [index, picture] of pictures.entries()) {
    if (keep.includes(index)) {
      const [page] = await scan.copyPages(source, [index]);
      if (page !== undefined) scan.addPage(page);
      continue;
    }
    const { width, height } = source.getPage(index).getSize();
    const image = await scan.embedPng(picture);
    scan.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height });
  }
  return scan.save();
}

/** GrayImage pixels as a PNG file that says how fine they are. */
export const pngOf = ({ width, height, pixels }: GrayImage, dpi: number): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 1 } })
    .withMetadata({ density: dpi })
    .png()
    .toBuffer();

/** A letter page that is a picture. */
export async function pictureAsPdf(png: Uint8Array): Promise<Uint8Array> {
  const scan = await PDFDocument.create({ updateMetadata: false });
  const [width, height] = [612, 792];
  scan.addPage([width, height]).drawImage(await scan.embedPng(png), { x: 0, y: 0, width, height });
  return scan.save();
}

/** A TIFF of several pages. */
export async function scannedTiff(pdf: Uint8Array): Promise<Uint8Array> {
  const pictures = await picturesOf(pdf);
  const gray = await Promise.all(pictures.map((picture) => sharp(picture).grayscale().png().toBuffer()));
  return sharp(gray, { join: { animated: true } })
    .tiff({ compression: "lzw", xres: SCAN_DPI / 25.4, yres: SCAN_DPI / 25.4 })
    .toBuffer();
}
