/** The pixels of an image's page, upright and square. */
import sharp, { type Sharp } from "sharp";
import { type ImagePage, MAX_PAGE_PIXELS } from "../../imaging/headers/image-page.ts";
import { imageFrame, isSideways } from "./image-frame.ts";

// Each picture is decoded once: libvips has nothing to keep, and its memory counts against the process.
sharp.cache(false);

/** Pixels per inch of the page as shown, in the denser direction. */
export function nativeDpi(page: ImagePage): number {
  const { width, height } = imageFrame(page);
  const [across, down] = isSideways(page) ? [page.height, page.width] : [page.width, page.height];
  return Math.max(across / width, down / height);
}

/**
 * A page of an image on white, rotated for display and scaled to a size. Awaiting it rejects with Sharp's errors for
 * damaged pixels.
 */
export function imagePixels(bytes: Uint8Array, page: ImagePage, width: number, height: number): Sharp {
  return sharp(bytes, {
    page: page.directory,
    pages: 1,
    failOn: "error",
    limitInputPixels: MAX_PAGE_PIXELS,
    sequentialRead: true,
  })
    .autoOrient()
    .flatten({ background: "white" })
    .resize(width, height, { fit: "fill" })
    .toColourspace("srgb");
}
