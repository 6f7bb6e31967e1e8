/** Page size of an image: the stated resolution, where it is plausible, else a guess. */
import type { OcrFrame } from "../../../ports/ocr.ts";
import type { ImagePage } from "../../imaging/headers/image-page.ts";

/** Resolutions outside this range are mistakes: no scanner has them. */
const MIN_STATED_DPI = 50;
const MAX_STATED_DPI = 2_400;
/** A fax has half or a quarter as many lines as columns (ITU-T T.4: 204 by 98 or 196 to the inch). */
const MAX_RESOLUTION_RATIO = 4;
/** Inches: a sheet of A3 or tabloid with a margin, either way up. Anything smaller than a stamp is no page. */
const MAX_SHEET_INCHES = { longer: 18, shorter: 12.5 };
const MIN_PAGE_INCHES = 0.4;
/** Paper of the narrowest printers has 57 mm (inches, with a margin); a page narrower than it is a label, of few words. */
const MIN_PAPER_INCHES = 2;
/** Pixels across with which a label's stated size counts: with fewer it is a shrunken page. */
const MIN_LABEL_PIXELS = 400;
/** Programs and cameras write 72 or 96 dpi when they do not know. Higher values come from scanners, up to A0 plans. */
const MIN_SCANNER_DPI = 150;
const MAX_PLAN_INCHES = 50;

/** The guess: 200 dpi, usual for document scanners, and no larger than A4 or letter (inches). */
const GUESSED_DPI = 200;
const GUESSED_SHEET_INCHES = { longer: 11.69, shorter: 8.5 };
/**
 * Width of a receipt (80 mm without a margin), and pixels per inch of a screen: a small picture is one of a receipt, or
 * of a screen.
 */
const RECEIPT_INCHES = 3;
const SCREEN_DPI = 72;
/** Longer pages are receipts or strips; only their width is limited. */
const MIN_STRIP_RATIO = 2;

/** Degrees clockwise for display by orientation. Mirrored orientations are mirrored back first. */
const ROTATION_BY_ORIENTATION: Record<number, 0 | 90 | 180 | 270> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 };

interface SizeInInches {
  width: number;
  height: number;
}

const sidesOf = ({ width, height }: SizeInInches): { longer: number; shorter: number } => ({
  longer: Math.max(width, height),
  shorter: Math.min(width, height),
});

/** The stated page size; undefined when the file states none or an implausible one. */
function statedSize({ width, height, resolution }: ImagePage): SizeInInches | undefined {
  if (resolution?.absolute !== true) return undefined;
  const { x, y } = resolution;
  const least = Math.min(x, y);
  if (least < MIN_STATED_DPI || Math.max(x, y) > MAX_STATED_DPI || Math.max(x, y) > MAX_RESOLUTION_RATIO * least)
    return undefined;
  const size = { width: width / x, height: height / y };
  const { longer, shorter } = sidesOf(size);
  const isShrunken = shorter < MIN_PAPER_INCHES && Math.min(width, height) < MIN_LABEL_PIXELS;
  if (shorter < MIN_PAGE_INCHES || isShrunken) return undefined;
  const fits = longer <= MAX_SHEET_INCHES.longer && shorter <= MAX_SHEET_INCHES.shorter;
  return fits || (least >= MIN_SCANNER_DPI && longer <= MAX_PLAN_INCHES) ? size : undefined;
}

function guessedSize({ width, height, resolution }: ImagePage): SizeInInches {
  const stated = resolution === undefined ? 1 : resolution.y / resolution.x;
  // Pixels need not be square, even where the unit of the resolution is implausible.
  const ratio = stated <= MAX_RESOLUTION_RATIO && stated >= 1 / MAX_RESOLUTION_RATIO ? stated : 1;
  const [across, down] = [width, height / ratio];
  const receiptDpi = Math.min(Math.max(Math.min(across, down) / RECEIPT_INCHES, SCREEN_DPI), GUESSED_DPI);
  const dpi = Math.max(across, down) <= MAX_PLAN_INCHES * receiptDpi ? receiptDpi : GUESSED_DPI;
  const size = { width: width / dpi, height: height / (dpi * ratio) };
  const { longer, shorter } = sidesOf(size);
  const tooWide = shorter / GUESSED_SHEET_INCHES.shorter;
  const shrink = Math.max(1, tooWide, longer > MIN_STRIP_RATIO * shorter ? 0 : longer / GUESSED_SHEET_INCHES.longer);
  return { width: size.width / shrink, height: size.height / shrink };
}

const roundSide = (inches: number): number => Math.max(Math.round(inches * 10_000) / 10_000, 0.0001);

export const isSideways = ({ orientation }: ImagePage): boolean => orientation >= 5;

/**
 * The page of an image as shown. The stated size counts when both resolutions are 50 to 2,400 dpi, within a factor of
 * four of each other, and the page fits a sheet of A3 or, at 150 dpi and more, is at most 50 inches long. Otherwise the
 * image counts as a scan at 200 dpi, or at the resolution that fits it to A4 and letter; long strips only have to fit
 * the width. A small image counts as a receipt, but for strips that would be longer than any.
 */
export function imageFrame(page: ImagePage): OcrFrame {
  const { width, height } = statedSize(page) ?? guessedSize(page);
  const [shownWidth, shownHeight] = isSideways(page) ? [height, width] : [width, height];
  return {
    width: roundSide(shownWidth),
    height: roundSide(shownHeight),
    rotation: ROTATION_BY_ORIENTATION[page.orientation] ?? 0,
  };
}
