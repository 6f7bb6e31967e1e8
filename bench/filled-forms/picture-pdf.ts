/** PDFs of pictures, as scanners make them. */
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import type { PageImage } from "../../functions/engine/readers/pdf/render-page.ts";

const POINTS_PER_INCH = 72;
/** Quality that scanners use for text. */
const JPEG_QUALITY = 82;

/** A PDF with a picture on each page. @param dpi pixels per inch of the pictures */
export async function picturePdf(pictures: readonly PageImage[], dpi: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const { width, height, rgba } of pictures) {
    const jpeg = await sharp(rgba, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer();
    const size = [(width / dpi) * POINTS_PER_INCH, (height / dpi) * POINTS_PER_INCH] as const;
    document
      .addPage([...size])
      .drawImage(await document.embedJpg(jpeg), { x: 0, y: 0, width: size[0], height: size[1] });
  }
  return document.save();
}
