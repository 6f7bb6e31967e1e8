/** How large the page in an image is: what its resolution says, where that can be believed. */
import type { OcrFrame } from "../../../ports/ocr.ts";
import type { ImagePage } from "../../imaging/headers/image-header.ts";

/** Resolutions outside are slips: no scanner has them. */
const LEAST_DPI = 50;
const MOST_DPI = 2_400;
/** A fax has half or a quarter of the lines that it has columns (ITU-T T.4: 204 by 98 or 196 to the inch). */
const MOST_RATIO = 4;
/** Inches. A sheet of A3 or tabloid with something to spare, either way up; smaller than a stamp is no page. */
const SHEET = { longer: 18, shorter: 12.5 };
const SMALLEST = 0.4;
/** Programs and cameras write 72 or 96 when they do not know; so many are a scanner's, up to A0 plans. */
const SCANNER_DPI = 150;
const LARGEST = 50;

/** The guess: 200 dpi, the usual of document scanners, and no larger than A4 or letter (inches). */
const USUAL_DPI = 200;
const USUAL_SHEET = { longer: 11.69, shorter: 8.5 };
/** Longer than that it is a receipt or a strip, which has a sheet's width only. */
const STRIP = 2;

/** Degrees clockwise by which each orientation is turned for showing; mirrored ones once they are mirrored back. */
const TURNS: Record<number, 0 | 90 | 180 | 270> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 };

interface Size {
  width: number;
  height: number;
}

const ends = ({ width, height }: Size): { longer: number; shorter: number } => ({
  longer: Math.max(width, height),
  shorter: Math.min(width, height),
});

/** The size that the file states; undefined when it states none or one that no page has. */
function statedSize({ width, height, resolution }: ImagePage): Size | undefined {
  if (resolution?.absolute !== true) return undefined;
  const { x, y } = resolution;
  const least = Math.min(x, y);
  if (least < LEAST_DPI || Math.max(x, y) > MOST_DPI || Math.max(x, y) > MOST_RATIO * least) return undefined;
  const size = { width: width / x, height: height / y };
  const { longer, shorter } = ends(size);
  if (shorter < SMALLEST) return undefined;
  const fits = longer <= SHEET.longer && shorter <= SHEET.shorter;
  return fits || (least >= SCANNER_DPI && longer <= LARGEST) ? size : undefined;
}

function guessedSize({ width, height, resolution }: ImagePage): Size {
  const stated = resolution === undefined ? 1 : resolution.y / resolution.x;
  // Pixels need not be square, whether or not the resolution's unit is to be believed.
  const ratio = stated <= MOST_RATIO && stated >= 1 / MOST_RATIO ? stated : 1;
  const size = { width: width / USUAL_DPI, height: height / (USUAL_DPI * ratio) };
  const { longer, shorter } = ends(size);
  const tooWide = shorter / USUAL_SHEET.shorter;
  const shrink = Math.max(1, tooWide, longer > STRIP * shorter ? 0 : longer / USUAL_SHEET.longer);
  return { width: size.width / shrink, height: size.height / shrink };
}

const round = (inches: number): number => Math.max(Math.round(inches * 10_000) / 10_000, 0.0001);

export const isTurned = ({ orientation }: ImagePage): boolean => orientation >= 5;

/**
 * The page in an image as shown. Its size is the stated one when both resolutions are 50 to 2,400 dpi, within a factor
 * of four of each other, and the page so fits a sheet of A3 or, at 150 dpi and more, is at most 50 inches long.
 * Otherwise it is taken for a scan at 200 dpi, or at as many as make it fit A4 and letter; long strips keep to the width
 * of those only.
 */
export function imageFrame(page: ImagePage): OcrFrame {
  const { width, height } = statedSize(page) ?? guessedSize(page);
  const [shownWidth, shownHeight] = isTurned(page) ? [height, width] : [width, height];
  return { width: round(shownWidth), height: round(shownHeight), rotation: TURNS[page.orientation] ?? 0 };
}
