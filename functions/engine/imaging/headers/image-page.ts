/** A page of an image file, as its header states it. */

/** Larger pages are not decoded. */
export const MAX_PAGE_PIXELS = 100_000_000;
/** Factor from dots per centimetre to dots per inch. */
export const CENTIMETRES_PER_INCH = 2.54;

/** Pixels per inch; only a ratio when not `absolute`. */
export interface Resolution {
  x: number;
  y: number;
  absolute: boolean;
}

export interface ImagePage {
  /** Pixels as stored, before the orientation is applied. */
  width: number;
  height: number;
  /** EXIF and TIFF orientation: 1 upright, 2 mirrored, 3 upside down … 8 (TIFF 6.0, section 8). */
  orientation: number;
  /** Index of a TIFF page in the chain of directories, from 0; previews count too. */
  directory: number;
  resolution?: Resolution;
  /** Bytes per pixel of a progressive or interlaced image, which is decoded as a whole instead of row by row. */
  wholeDecodeBytesPerPixel?: number;
}
