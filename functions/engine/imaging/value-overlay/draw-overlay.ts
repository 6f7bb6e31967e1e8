/** Draws the places of a result's values on a page's picture. */
import sharp from "sharp";
import { inkMeter } from "./ink-meter.ts";
import { overlaySvg } from "./overlay-svg.ts";
import type { ValueMark } from "./value-marks.ts";

/**
 * Draws marks over a picture.
 * @param picture PNG @param frame the page's size in inches @returns PNG of the same size
 */
export async function drawValueMarks(
  picture: Uint8Array,
  frame: { width: number; height: number },
  marks: readonly ValueMark[],
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
