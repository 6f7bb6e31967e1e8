/** Pictures of PDF pages as a viewer shows them, form fields and stamps included. */
import sharp from "sharp";
import { JobFailure, NotFound } from "../../errors.ts";
import type { PdfPage } from "./reader.ts";
import { withPdf } from "./reader.ts";

export interface PageImage {
  /** Pixels. */
  width: number;
  height: number;
  /** Rows from the top, four bytes a pixel, opaque. */
  rgba: Uint8Array;
}

/** A page may be any size; a picture may not: 50 million pixels are 200 MB, twice while they are copied. */
const MOST_PIXELS = 50_000_000;
/** FPDFBitmap_BGRx, FPDF_ANNOT and FPDF_REVERSE_BYTE_ORDER (RGB instead of BGR), fpdfview.h. */
const FOUR_BYTES = 3;
const DRAW_ANNOTATIONS = 0x01;
const RGB_ORDER = 0x10;
const WHITE = 0xffffffff;

function renderOpen({ pdfium, handle, width, height }: PdfPage, dpi: number): PageImage {
  const { call } = pdfium;
  const pixels = [Math.max(Math.round((width * dpi) / 72), 1), Math.max(Math.round((height * dpi) / 72), 1)] as const;
  if (pixels[0] * pixels[1] > MOST_PIXELS) {
    throw new JobFailure("Processing failed: A page is too large to be drawn");
  }
  const stride = pixels[0] * 4;
  const bytes = stride * pixels[1];
  const buffer = call.malloc(bytes);
  const bitmap = buffer === 0 ? 0 : call.FPDFBitmap_CreateEx(pixels[0], pixels[1], FOUR_BYTES, buffer, stride);
  try {
    if (bitmap === 0) throw new JobFailure("Processing failed: A page is too large to be drawn");
    call.FPDFBitmap_FillRect(bitmap, 0, 0, pixels[0], pixels[1], WHITE);
    call.FPDF_RenderPageBitmap(bitmap, handle, 0, 0, pixels[0], pixels[1], 0, DRAW_ANNOTATIONS | RGB_ORDER);
    const rgba = pdfium.bytes().slice(buffer, buffer + bytes);
    for (let at = 3; at < rgba.length; at += 4) rgba[at] = 255;
    return { width: pixels[0], height: pixels[1], rgba };
  } finally {
    if (bitmap !== 0) call.FPDFBitmap_Destroy(bitmap);
    if (buffer !== 0) call.free(buffer);
  }
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
