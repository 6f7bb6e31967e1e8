/** The pixels of an image's page, upright and square. */
import sharp, { type Sharp } from "sharp";
import type { ImagePage } from "../../imaging/headers/image-header.ts";
import { imageFrame, isTurned } from "./image-frame.ts";

/** image-headers.ts has looked already; libvips' own default is higher. */
const MOST_PIXELS = 100_000_000;

/** Pixels per inch of the page as shown, in the direction that has more. */
export function nativeDpi(page: ImagePage): number {
  const { width, height } = imageFrame(page);
  const [across, down] = isTurned(page) ? [page.height, page.width] : [page.width, page.height];
  return Math.max(across / width, down / height);
}

/**
 * A page of an image on white, turned as it is shown and scaled to a size. Sharp's errors, which come when it is
 * awaited, are those of damaged pixels.
 */
export function imagePixels(bytes: Uint8Array, page: ImagePage, width: number, height: number): Sharp {
  return sharp(bytes, {
    page: page.directory,
    pages: 1,
    failOn: "error",
    limitInputPixels: MOST_PIXELS,
    sequentialRead: true,
  })
    .autoOrient()
    .flatten({ background: "white" })
    .resize(width, height, { fit: "fill" })
    .toColourspace("srgb");
}
