/** Decodes a picture's file to gray pixels. */
import sharp from "sharp";
import type { GrayImage } from "../../../engine/imaging/gray-image.ts";
import { limitExceededSentence, readImageHeader } from "../../../engine/imaging/headers/image-header.ts";
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";
import { JPEG, PNG } from "../../../ports/media-types.ts";
import type { OcrFrame } from "../../../ports/ocr.ts";

/** Pixels of a picture; a finer one is recognised no better and takes longer. */
const MAX_PICTURE_PIXELS = 14_000_000;

sharp.cache(false);
sharp.concurrency(1);

const isPng = (bytes: Uint8Array): boolean => bytes[0] === 0x89 && bytes[1] === 0x50;

/**
 * Decodes a picture: upright as a viewer shows it, white where it is transparent, scaled down to at most `maxDpi`.
 * @param bytes PNG or JPEG
 * @param maxDpi pixels per inch of the frame
 * @throws JobFailure: corrupted, or more pixels than the limit
 */
export async function decodeGray(bytes: Uint8Array, frame: OcrFrame, maxDpi: number): Promise<GrayImage> {
  const header = readImageHeader(bytes, isPng(bytes) ? PNG : JPEG);
  const [page] = header?.pages ?? [];
  if (header === undefined || page === undefined) throw new JobFailure(JOB_SENTENCES.corrupted);
  const excess = limitExceededSentence(header);
  if (excess !== undefined) throw new JobFailure(`Processing failed: ${excess}`);
  const pixels = page.width * page.height;
  const dpi = Math.sqrt(pixels / (frame.width * frame.height));
  const scale = Math.min(maxDpi / dpi, Math.sqrt(MAX_PICTURE_PIXELS / pixels), 1);
  try {
    const picture = sharp(bytes, { limitInputPixels: pixels, failOn: "error" }).autoOrient();
    const turned = page.orientation > 4;
    const [width, height] = turned ? [page.height, page.width] : [page.width, page.height];
    // Scaling by a few pixels only blurs.
    if (scale < 0.95) {
      picture.resize({
        width: Math.max(Math.round(width * scale), 1),
        height: Math.max(Math.round(height * scale), 1),
        fit: "fill",
      });
    }
    const { data, info } = await picture
      .flatten({ background: "white" })
      .greyscale()
      .toColourspace("b-w")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const { buffer, byteOffset, length } = data;
    return { width: info.width, height: info.height, pixels: new Uint8Array(buffer, byteOffset, length) };
  } catch (cause) {
    throw new JobFailure(JOB_SENTENCES.corrupted, { cause });
  }
}
