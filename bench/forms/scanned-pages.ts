/** The pages of a flat form as scans: pixels for what is drawn, and words. */

import type { FormPageContent } from "../../functions/engine/forms/detect/form-page.ts";
import { picturePageContent } from "../../functions/engine/forms/detect/picture-page-content.ts";
import type { GrayImage } from "../../functions/engine/imaging/gray-image.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import { readPdfPage } from "../../functions/engine/readers/pdf/read-pdf-page.ts";
import { renderPage } from "../../functions/engine/readers/pdf/render-page.ts";
import { greyOf } from "../templates/drawn-page.ts";

/** Pixels per inch of the scans. */
export const SCAN_DPI = 200;

async function scanOf(flat: Uint8Array, index: number): Promise<GrayImage> {
  const { width, height, rgba } = await renderPage(flat, index, SCAN_DPI);
  return { width, height, pixels: greyOf(rgba, width, height).grey };
}

/** The contents of all pages as scans, each handed to `use` with the seconds that its content took. */
export async function scannedPages<T>(
  flat: Uint8Array,
  use: (content: FormPageContent, seconds: number) => T,
): Promise<T[]> {
  const pages = await withPdf(flat, (document) =>
    Array.from({ length: document.pageCount }, (_, index) =>
      document.withPage(index, (page) => readPdfPage(page, index + 1, { tables: false })),
    ),
  );
  const found: T[] = [];
  for (const [index, page] of pages.entries()) {
    const gray = await scanOf(flat, index);
    const start = performance.now();
    const content = picturePageContent(gray, page);
    found.push(use(content, (performance.now() - start) / 1000));
  }
  return found;
}
