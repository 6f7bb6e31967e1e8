/** Drawn pages, for comparisons. */

/** Pixels per inch: a point is a pixel. */
export const POINTS_DPI = 72;

/** One byte a pixel, rows from the top. */
export interface DrawnPage {
  width: number;
  height: number;
  grey: Uint8Array;
}

/** Light of the colours as the eye weighs them (ITU-R BT.601), so that no two strong colours are alike. */
export function greyOf(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number): DrawnPage {
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at += 1) {
    grey[at] = 0.299 * (rgba[4 * at] ?? 0) + 0.587 * (rgba[4 * at + 1] ?? 0) + 0.114 * (rgba[4 * at + 2] ?? 0);
  }
  return { width, height, grey };
}
