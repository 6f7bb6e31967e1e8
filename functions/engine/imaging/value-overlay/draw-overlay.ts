/** A page's picture with the places of a result's values on it. */
import sharp from "sharp";
import { inkMeter } from "./ink-meter.ts";
import { overlaySvg } from "./overlay-svg.ts";
import type { Mark } from "./value-marks.ts";

/**
 * Draws marks over a picture.
 * @param picture PNG @param frame the page's size in inches @returns PNG of the same size
 */
export async function drawMarks(
  picture: Uint8Array,
  frame: { width: number; height: number },
  marks: readonly Mark[],
): Promise<Uint8Array> {
  if (marks.length === 0) return picture;
  const { data, info } = await sharp(picture).toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const overlay = overlaySvg(marks, {
    width,
    height,
    pixelsPerInch: width / frame.width,
    inkIn: inkMeter({ width, height, data }),
  });
  return sharp(picture)
    .composite([{ input: Buffer.from(overlay) }])
    .png({ compressionLevel: 6 })
    .toBuffer();
}
