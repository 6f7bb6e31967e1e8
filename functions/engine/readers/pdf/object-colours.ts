/** Colours of page objects (fpdf_edit.h) on white paper. */
import type { Pdfium } from "./pdfium.ts";

/** Nearly white on white, nearly transparent. */
const MIN_WHITE_SHADE = 0.985;
const MAX_TRANSPARENT_ALPHA = 8;
/** A pattern counts as grey. */
const PATTERN_SHADE = 0.5;

/**
 * Shade of an object's colour, 0 (black) to 1 (white); undefined when it is invisible on white paper.
 * @param scratch 16 bytes
 * @param lightest shades from here on count as invisible
 */
export function visibleShade(
  { call, view: currentView }: Pdfium,
  scratch: number,
  object: number,
  paint: "fill" | "stroke",
  lightest = MIN_WHITE_SHADE,
): number | undefined {
  const readColour = paint === "fill" ? call.FPDFPageObj_GetFillColor : call.FPDFPageObj_GetStrokeColor;
  if (readColour(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return PATTERN_SHADE;
  const view = currentView();
  if (view.getUint32(scratch + 12, true) <= MAX_TRANSPARENT_ALPHA) return undefined;
  const [red, green, blue] = [view.getUint8(scratch), view.getUint8(scratch + 4), view.getUint8(scratch + 8)];
  // ITU-R BT.601, the luma of red, green and blue.
  const shade = (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
  return shade >= lightest ? undefined : shade;
}

/** Tells whether an object's colour is visible on white paper; the parameters are those of `visibleShade`. */
export const isVisible = (
  pdfium: Pdfium,
  scratch: number,
  object: number,
  paint: "fill" | "stroke",
  lightest?: number,
): boolean => visibleShade(pdfium, scratch, object, paint, lightest) !== undefined;
