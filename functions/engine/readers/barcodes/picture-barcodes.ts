/** Pixels of the pictures that pages are recognised from, and the barcodes on them. */
import sharp from "sharp";
import type { BarcodeBlock } from "../../../ports/layout.ts";
import type { OcrFrame } from "../../../ports/ocr.ts";
import type { Raster } from "../../imaging/raster.ts";
import type { PagePicture } from "../page-pictures.ts";
import { barcodesIn } from "./barcode-blocks.ts";

/** Pixels; of a picture with more, as many are looked at: a page of 200 dpi and more. */
const MOST_PIXELS = 8_000_000;

/** A picture's pixels; undefined for a damaged one, which has its sentence from whoever reads its text. */
export async function pixelsOf({ bytes, width, height }: PagePicture): Promise<Raster | undefined> {
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
  try {
    const { data, info } = await sharp(bytes)
      .resize(Math.max(Math.round(width * scale), 1), Math.max(Math.round(height * scale), 1), { fit: "fill" })
      .toColourspace("srgb")
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, rgba: data };
  } catch {
    return undefined;
  }
}

/**
 * The barcodes that a picture shows, in inches of its frame; one look. None where the engine fails: nobody has asked for
 * them.
 */
export async function barcodesOn(raster: Raster, { width, height }: OcrFrame): Promise<BarcodeBlock[]> {
  try {
    return await barcodesIn({ raster, box: { left: 0, top: 0, right: width, bottom: height } });
  } catch {
    return [];
  }
}
