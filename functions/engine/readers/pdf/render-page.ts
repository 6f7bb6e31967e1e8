/** Pictures of PDF pages as a viewer shows them, form fields and stamps included. */
import sharp from "sharp";
import { JobFailure, NotFound } from "../../../ports/errors.ts";
import { opaque, withWindow } from "./draw-page.ts";
import type { PdfPage } from "./pdf-document.ts";
import { withPdf } from "./pdf-document.ts";

export interface PageImage {
  /** Pixels. */
  width: number;
  height: number;
  /** Rows from the top, four bytes a pixel, opaque. */
  rgba: Uint8Array;
}

/** A page may be any size; a picture may not: 50 million pixels are 200 MB, twice while they are copied. */
const MOST_PIXELS = 50_000_000;
function renderOpen(page: PdfPage, dpi: number): PageImage {
  const [width, height] = [page.width, page.height].map((points) => Math.max(Math.round((points * dpi) / 72), 1));
  if (width === undefined || height === undefined || width * height > MOST_PIXELS) {
    throw new JobFailure("Processing failed: A page is too large to be drawn");
  }
  const whole = { left: 0, top: 0, width, height, pageWidth: width, pageHeight: height };
  return withWindow(page, whole, (drawn) => ({ width, height, rgba: opaque(drawn) }));
}

/**
 * Draws a page.
 * @param pageIndex from 0
 * @param dpi pixels per inch
 * @throws JobFailure: password protected, corrupted, or too large to be drawn; NotFound when there is no such page
 */
export function renderPage(bytes: Uint8Array, pageIndex: number, dpi: number): Promise<PageImage> {
  return withPdf(bytes, (document) => {
    const exists = Number.isInteger(pageIndex) && pageIndex >= 0 && pageIndex < document.pageCount;
    if (!exists)
      throw new NotFound(`The document has ${document.pageCount} pages; there is none at index ${pageIndex}`);
    return document.withPage(pageIndex, (page) => renderOpen(page, dpi));
  });
}

/** renderPage's picture as a PNG file; the same errors. */
export async function renderPagePng(bytes: Uint8Array, pageIndex: number, dpi: number): Promise<Uint8Array> {
  const { width, height, rgba } = await renderPage(bytes, pageIndex, dpi);
  return sharp(rgba, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer();
}
