/** Image headers, read without decoding: number of pages, size, orientation. */

import { JPEG, PNG, TIFF } from "../../../ports/media-types.ts";
import { type ImagePage, MAX_PAGE_PIXELS } from "./image-page.ts";
import { readJpegPage } from "./jpeg-header.ts";
import { readPngPage } from "./png-header.ts";
import { MAX_DIRECTORIES, readTiffPages } from "./tiff-header.ts";

export interface ImageHeader {
  pages: ImagePage[];
  pageCount: number;
  /** True when the image has more pages than are read. */
  more: boolean;
}

type HeaderPages = Pick<ImageHeader, "pages" | "more">;

/** Limit for images decoded as a whole: half the memory of a process. */
const MAX_WHOLE_DECODE_BYTES = 400_000_000;
const MILLION = 1_000_000;

/** Pixel limit of a page, in whole millions. */
const pixelLimit = ({ wholeDecodeBytesPerPixel = 1 }: ImagePage): number =>
  Math.min(Math.floor(MAX_WHOLE_DECODE_BYTES / wholeDecodeBytesPerPixel / MILLION) * MILLION, MAX_PAGE_PIXELS);

const singlePage = (page: ImagePage | undefined): HeaderPages | undefined =>
  page === undefined ? undefined : { pages: [page], more: false };

const HEADER_READERS: Record<string, (bytes: Uint8Array) => HeaderPages | undefined> = {
  [JPEG]: (bytes) => singlePage(readJpegPage(bytes)),
  [PNG]: (bytes) => singlePage(readPngPage(bytes)),
  [TIFF]: readTiffPages,
};

/**
 * Reads the header of a JPEG, PNG or TIFF; undefined when it is malformed, a page has no size, or its pixels do not
 * begin within the file.
 */
export function readImageHeader(bytes: Uint8Array, mimeType: string): ImageHeader | undefined {
  const found = HEADER_READERS[mimeType]?.(bytes);
  if (found === undefined || found.pages.length === 0) return undefined;
  const sized = found.pages.every(({ width, height }) => width > 0 && height > 0);
  return sized ? { ...found, pageCount: found.pages.length } : undefined;
}

/** A count with commas. A format of its own, kept, would cost every process 10 ms at its start. */
const grouped = (count: number): string => count.toLocaleString("en-US");

/** The reason why an image is over the limits: a sentence without its full stop; undefined when it is within. */
export function limitExceededSentence({ pages, more }: ImageHeader): string | undefined {
  if (more) return `The image has more than ${grouped(MAX_DIRECTORIES)} pages`;
  const index = pages.findIndex((page) => page.width * page.height > pixelLimit(page));
  const page = pages[index];
  if (page === undefined) return undefined;
  const what = pages.length === 1 ? "The image" : `Page ${index + 1} of the image`;
  const size = `${grouped(page.width)} × ${grouped(page.height)} pixels`;
  const such = page.wholeDecodeBytesPerPixel === undefined ? "" : " of such a progressive or interlaced one";
  return `${what} has ${size}, more than the ${grouped(pixelLimit(page))} that are read${such}`;
}
