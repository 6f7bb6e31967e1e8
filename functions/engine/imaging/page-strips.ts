/**
 * Pages too long for one picture, cut into strips: text recognition takes pictures up to a size, and a long receipt made
 * so small could not be read.
 */
import type { OcrFrame, OcrStrip } from "../../ports/ocr.ts";

/**
 * Pixels to the inch at which 8 point type is 15 pixels high, the least that is read: Amazon Textract Developer Guide,
 * "Set Quotas", character size. Engines of this machine want no less.
 */
const LEGIBLE = 150;
/** What services draw the pages of documents at, or more: these may be made smaller until type is as low. */
const DRAWN_AT = 200;
/** Inches that two strips share, so that what one cuts through is whole in the other. */
const SHARED = 1;

/** What an engine takes: pixels along a side of a picture, and inches along a side of a document's page. */
export interface PictureLimits {
  maxSide: number;
  maxPageInches?: number;
}

/** How long a strip may be, in inches; infinite where the page can be one picture. */
function longestStrip(length: number, dpi: number, { maxSide, maxPageInches = Infinity }: PictureLimits): number {
  const least = Math.min(dpi, LEGIBLE);
  const isLegible = maxSide / length >= least && maxPageInches / length >= least / DRAWN_AT;
  return isLegible ? Infinity : Math.min(maxSide / least, maxPageInches);
}

/** A strip with its own size, which is its picture's. */
export interface Strip {
  place: OcrStrip;
  frame: OcrFrame;
}

/**
 * The strips that a page is cut into across its longer side, all of one length; none where it can be one picture and
 * still be read.
 * @param dpi pixels to the inch that the page is wanted at, and has
 */
export function planStrips(page: OcrFrame, dpi: number, limits: PictureLimits): Strip[] {
  const length = Math.max(page.width, page.height);
  const longest = longestStrip(length, dpi, limits);
  if (longest === Infinity) return [];
  const shared = Math.min(SHARED, longest / 4);
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
