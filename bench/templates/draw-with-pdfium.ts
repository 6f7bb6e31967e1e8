/** Pages with their widgets as pdfium draws them. */
import { opaqueCopy, withDrawnWindow } from "../../functions/engine/readers/pdf/draw-page.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import type { PdfPage } from "../../functions/engine/readers/pdf/pdf-page.ts";
import { type DrawnPage, greyOf } from "./drawn-page.ts";

/** FLAT_NORMALDISPLAY, fpdf_flatten.h. */
const FOR_DISPLAY = 0;

/** Widgets are no part of a drawn page until they are made part of its content. */
function drawWithWidgets(page: PdfPage, index: number): DrawnPage {
  const { call } = page.pdfium;
  call.FPDFPage_Flatten(page.handle, FOR_DISPLAY);
  const handle = call.FPDF_LoadPage(page.document, index);
  try {
    const [width, height] = [Math.round(page.width), Math.round(page.height)];
    const window = { left: 0, top: 0, width, height, pageWidth: width, pageHeight: height };
    return withDrawnWindow({ ...page, handle }, window, (drawn) => greyOf(opaqueCopy(drawn), width, height));
  } finally {
    call.FPDF_ClosePage(handle);
  }
}

/** Draws all pages, a pixel a point. */
export const drawWithPdfium = (bytes: Uint8Array): Promise<DrawnPage[]> =>
  withPdf(bytes, (document) =>
    Array.from({ length: document.pageCount }, (_, index) =>
      document.withPage(index, (page) => drawWithWidgets(page, index)),
    ),
  );
