/** Pages drawn by pdfium as a viewer shows them, on white. */
import { JobFailure } from "../../../ports/errors.ts";
import type { Box } from "../../../ports/layout.ts";
import type { PdfPage } from "./pdf-page.ts";
import { withMemory } from "./pdfium.ts";
import { BITMAP_BGRX } from "./pdfium-functions.ts";
import { POINTS_PER_INCH } from "./points-to-inches.ts";
import { resetSubstituteFonts } from "./substitute-fonts.ts";

/** FPDF_ANNOT and FPDF_REVERSE_BYTE_ORDER (RGB instead of BGR), fpdfview.h. */
const RENDER_ANNOTATIONS = 0x01;
const RENDER_RGB_ORDER = 0x10;
const WHITE_ARGB = 0xffffffff;

/** Rows from the top, four bytes a pixel. */
interface DrawnPixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A part of a page, in pixels of the whole page drawn at a size. */
interface PageWindow {
  left: number;
  top: number;
  width: number;
  height: number;
  pageWidth: number;
  pageHeight: number;
}

/**
 * Draws a part of a page for `use`. The pixels stand in the engine's memory and are freed when `use` returns; their
 * fourth bytes are undefined.
 * @throws JobFailure when there is no more memory
 */
export function withDrawnWindow<T>({ pdfium, handle }: PdfPage, window: PageWindow, use: (drawn: DrawnPixels) => T): T {
  const { call } = pdfium;
  const { left, top, width, height, pageWidth, pageHeight } = window;
  const bytes = width * height * 4;
  return withMemory(pdfium, bytes, (buffer) => {
    const bitmap = call.FPDFBitmap_CreateEx(width, height, BITMAP_BGRX, buffer, width * 4);
    if (bitmap === 0) throw new JobFailure("Processing failed: A page is too large to be drawn");
    try {
      call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE_ARGB);
      const flags = RENDER_ANNOTATIONS | RENDER_RGB_ORDER;
      call.FPDF_RenderPageBitmap(bitmap, handle, -left, -top, pageWidth, pageHeight, 0, flags);
      resetSubstituteFonts(pdfium);
      return use({ width, height, data: pdfium.bytes().subarray(buffer, buffer + bytes) });
    } finally {
      call.FPDFBitmap_Destroy(bitmap);
    }
  });
}

/** `withDrawnWindow` for a box of the page. @param box points, as shown */
export function withDrawnPart<T>(page: PdfPage, box: Box, dpi: number, use: (drawn: DrawnPixels) => T): T {
  const scale = dpi / POINTS_PER_INCH;
  const window = {
    left: Math.round(box.left * scale),
    top: Math.round(box.top * scale),
    width: Math.max(Math.round((box.right - box.left) * scale), 1),
    height: Math.max(Math.round((box.bottom - box.top) * scale), 1),
    pageWidth: Math.round(page.width * scale),
    pageHeight: Math.round(page.height * scale),
  };
  return withDrawnWindow(page, window, use);
}

/** Copies the pixels and makes them opaque. */
export function opaqueCopy({ data }: DrawnPixels): Uint8Array {
  const copy = data.slice();
  // Whole pixels are four times as fast as every fourth byte; the fourth byte is the highest one (little-endian).
  const pixels = new Uint32Array(copy.buffer);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (pixels[at] ?? 0) | 0xff000000;
  return copy;
}

/** Draws a box of the page. @throws JobFailure when there is no more memory */
export const drawPart = (page: PdfPage, box: Box, dpi: number): DrawnPixels & { channels: 4 } =>
  withDrawnPart(page, box, dpi, (drawn) => ({
    width: drawn.width,
    height: drawn.height,
    channels: 4,
    data: opaqueCopy(drawn),
  }));
