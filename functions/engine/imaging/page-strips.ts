/**
 * Cuts pages that are too long for one picture into strips: text recognition takes pictures up to a size, and a long
 * receipt shrunk to it could not be read.
 */
import type { OcrFrame, OcrStrip } from "../../ports/ocr.ts";

/**
 * Least pixels per inch: 8 point type is then 15 pixels high, the least that is read (Amazon Textract Developer Guide,
 * "Set Quotas", character size). Engines of this machine need no less.
 */
const LEGIBLE_DPI = 150;
/** Resolution at which services draw the pages of documents, at least: these may be shrunk until type is as low. */
const SERVICE_DPI = 200;
/** Length that two strips share, so that what one cuts through is whole in the other. */
const SHARED_INCHES = 1;

/** Limits of an engine: pixels along a side of a picture, and inches along a side of a document's page. */
export interface PictureLimits {
  maxSide: number;
  maxPageInches?: number;
}

/** Longest strip, in inches; infinite where the page can be one picture. */
function longestStrip(length: number, dpi: number, { maxSide, maxPageInches = Infinity }: PictureLimits): number {
  const least = Math.min(dpi, LEGIBLE_DPI);
  const isLegible = maxSide / length >= least && maxPageInches / length >= least / SERVICE_DPI;
  return isLegible ? Infinity : Math.min(maxSide / least, maxPageInches);
}

/** A strip and its own size, which is its picture's. */
export interface Strip {
  place: OcrStrip;
  frame: OcrFrame;
}

/**
 * Plans the strips of a page across its longer side, all of one length; none where one picture of it can be read.
 * @param dpi pixels per inch that the page is wanted at, and has
 */
export function planStrips(page: OcrFrame, dpi: number, limits: PictureLimits): Strip[] {
  const length = Math.max(page.width, page.height);
  const longest = longestStrip(length, dpi, limits);
  if (longest === Infinity) return [];
  const shared = Math.min(SHARED_INCHES, longest / 4);
  const count = Math.ceil((length - shared) / (longest - shared));
  const own = (length + (count - 1) * shared) / count;
  const isTall = page.height >= page.width;
  return Array.from({ length: count }, (_, index) => {
    const from = index * (own - shared);
    const [left, top] = isTall ? [0, from] : [from, 0];
    const size = isTall ? { height: own } : { width: own };
    return { place: { index, count, page, left, top }, frame: { ...page, ...size } };
  });
}
