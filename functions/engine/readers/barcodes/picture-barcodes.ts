/** Rasters of page pictures for OCR, and the barcodes on them. */
import sharp from "sharp";
import type { BarcodeBlock } from "../../../ports/layout.ts";
import type { OcrFrame } from "../../../ports/ocr.ts";
import type { Raster } from "../../imaging/raster.ts";
import type { PagePicture } from "../page-pictures.ts";
import { findBarcodes } from "./barcode-blocks.ts";

/** Pictures with more pixels are scaled down: a page at 200 dpi and more. */
const MAX_SCANNED_PIXELS = 8_000_000;

/** Decodes a picture; undefined for a damaged one. The OCR of the page reports that damage. */
export async function pictureRaster({ bytes, width, height }: PagePicture): Promise<Raster | undefined> {
  const scale = Math.min(1, Math.sqrt(MAX_SCANNED_PIXELS / (width * height)));
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
 * The barcodes on a raster in inches of its frame, from one scan. Empty when the engine fails, because nobody asked for
 * barcodes.
 */
export async function pictureBarcodes(raster: Raster, { width, height }: OcrFrame): Promise<BarcodeBlock[]> {
  try {
    return await findBarcodes({ raster, box: { left: 0, top: 0, right: width, bottom: height } });
  } catch {
    return [];
  }
}
