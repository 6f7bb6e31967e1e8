/** Image headers, read without decoding: how many pages, how large, which way up. */

import { JPEG, PNG, TIFF } from "../../../ports/media-types.ts";
import { readJpegPage } from "./jpeg-header.ts";
import { readPngPage } from "./png-header.ts";
import { MOST_DIRECTORIES, readTiffPages } from "./tiff-header.ts";

/** Pixels per inch, or where not `absolute`, only in proportion to each other. */
export interface Resolution {
  x: number;
  y: number;
  absolute: boolean;
}

export interface ImagePage {
  /** Pixels as stored, before the orientation is applied. */
  width: number;
  height: number;
  /** As EXIF and TIFF count: 1 upright, 2 mirrored, 3 upside down … 8 (TIFF 6.0, section 8). */
  orientation: number;
  /** Position of a TIFF page in the chain of directories, from 0; previews count too. */
  directory: number;
  resolution?: Resolution;
  /** Progressive or interlaced: decoded as a whole, not row by row, which takes so many bytes a pixel. */
  wholeBytes?: number;
}

export interface ImageHeader {
  pages: ImagePage[];
  pageCount: number;
  /** There are more pages than are read. */
  more: boolean;
}

type Pages = Pick<ImageHeader, "pages" | "more">;

/** A page of more is not decoded. */
const MOST_PIXELS = 100_000_000;
/** Nor one that would take more bytes as a whole, which are half of what a process has. */
const MOST_WHOLE_BYTES = 400_000_000;
const MILLION = 1_000_000;

/** In whole millions. */
const limitOf = ({ wholeBytes = 1 }: ImagePage): number =>
  Math.min(Math.floor(MOST_WHOLE_BYTES / wholeBytes / MILLION) * MILLION, MOST_PIXELS);

const one = (page: ImagePage | undefined): Pages | undefined =>
  page === undefined ? undefined : { pages: [page], more: false };

const READERS: Record<string, (bytes: Uint8Array) => Pages | undefined> = {
  [JPEG]: (bytes) => one(readJpegPage(bytes)),
  [PNG]: (bytes) => one(readPngPage(bytes)),
  [TIFF]: readTiffPages,
};

/**
 * The header of a JPEG, PNG or TIFF; undefined when it is not well formed, a page has no size, or its pixels do not
 * begin within the file.
 */
export function readImageHeader(bytes: Uint8Array, mimeType: string): ImageHeader | undefined {
  const found = READERS[mimeType]?.(bytes);
  if (found === undefined || found.pages.length === 0) return undefined;
  const sized = found.pages.every(({ width, height }) => width > 0 && height > 0);
  return sized ? { ...found, pageCount: found.pages.length } : undefined;
}

const number = new Intl.NumberFormat("en-US");

/** Why an image is not read whatever is behind its header: a sentence without its full stop; undefined when it is. */
export function excessOf({ pages, more }: ImageHeader): string | undefined {
  if (more) return `The image has more than ${number.format(MOST_DIRECTORIES)} pages`;
  const index = pages.findIndex((page) => page.width * page.height > limitOf(page));
  const page = pages[index];
  if (page === undefined) return undefined;
  const what = pages.length === 1 ? "The image" : `Page ${index + 1} of the image`;
  const size = `${number.format(page.width)} × ${number.format(page.height)} pixels`;
  const such = page.wholeBytes === undefined ? "" : " of such a progressive or interlaced one";
  return `${what} has ${size}, more than the ${number.format(limitOf(page))} that are read${such}`;
}
