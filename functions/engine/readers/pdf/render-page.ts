/** Rendered PDF pages as a viewer shows them, including form fields and stamps. */
import sharp from "sharp";
import { JobFailure, NotFound } from "../../../ports/errors.ts";
import { opaqueCopy, withDrawnWindow } from "./draw-page.ts";
import { withPdf } from "./pdf-document.ts";
import type { PdfPage } from "./pdf-page.ts";

export interface PageImage {
  /** Pixels. */
  width: number;
  height: number;
  /** Rows from the top, four bytes a pixel, opaque. */
  rgba: Uint8Array;
}

/** Limit of a rendered page: 50 million pixels are 200 MB, twice while they are copied. */
const MAX_RENDERED_PIXELS = 50_000_000;
function renderOpenPage(page: PdfPage, dpi: number): PageImage {
  const [width, height] = [page.width, page.height].map((points) => Math.max(Math.round((points * dpi) / 72), 1));
  if (width === undefined || height === undefined || width * height > MAX_RENDERED_PIXELS) {
    throw new JobFailure("Processing failed: A page is too large to be drawn");
  }
  const whole = { left: 0, top: 0, width, height, pageWidth: width, pageHeight: height };
  return withDrawnWindow(page, whole, (drawn) => ({ width, height, rgba: opaqueCopy(drawn) }));
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
    return document.withPage(pageIndex, (page) => renderOpenPage(page, dpi));
  });
}

/** `renderPage` as a PNG file, with the same errors. */
export async function renderPagePng(bytes: Uint8Array, pageIndex: number, dpi: number): Promise<Uint8Array> {
  const { width, height, rgba } = await renderPage(bytes, pageIndex, dpi);
  return sharp(rgba, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer();
}
