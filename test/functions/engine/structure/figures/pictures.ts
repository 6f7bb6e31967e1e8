/** PDFs with pictures whose pixels are known. */
import { PDFDocument, type PDFImage, type PDFPage } from "@cantoo/pdf-lib";
import sharp from "sharp";

/** A picture of some colours in squares, different for each seed. */
export function pattern(width: number, height: number, seed = 1): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const square = (Math.floor(x / 8) * 7 + Math.floor(y / 8) * 13 + seed * 31) % 5;
      pixels.set([square * 50, 255 - square * 40, (square * 90 + seed * 20) % 256], (y * width + x) * 3);
    }
  }
  return pixels;
}

const raw = (width: number, height: number, seed?: number) =>
  sharp(pattern(width, height, seed), { raw: { width, height, channels: 3 } });

export const patternPng = (width: number, height: number, seed?: number): Promise<Buffer> =>
  raw(width, height, seed).png().toBuffer();
export const patternJpeg = (width: number, height: number, seed?: number): Promise<Buffer> =>
  raw(width, height, seed).jpeg({ quality: 90 }).toBuffer();

/** A PDF of letter pages with pictures, drawn one after the other. */
export async function picturesPdf(
  files: Record<string, Buffer>,
  pages: readonly ((page: PDFPage, images: Record<string, PDFImage>) => void)[],
): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const images: Record<string, PDFImage> = {};
  for (const [name, bytes] of Object.entries(files)) {
    images[name] = bytes[0] === 0xff ? await document.embedJpg(bytes) : await document.embedPng(bytes);
  }
  for (const draw of pages) draw(document.addPage([612, 792]), images);
  return document.save();
}

/** @throws Error for a name without a picture */
export function show(
  page: PDFPage,
  image: PDFImage | undefined,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  if (image === undefined) throw new Error("There is no such picture");
  page.drawImage(image, { x, y, width, height });
}
