/** How readers find the places of forms, of which they know nothing themselves. */
import type { FormEntry, Page } from "../../ports/layout.ts";
import type { OcrDrawing } from "../../ports/ocr.ts";
import type { PdfPage } from "./pdf/pdf-page.ts";

/** Finds the places of a form on an open page. @param page with the words in their final boxes, as shown */
export type PageEntries = (page: Page, shown: PdfPage) => FormEntry[];

export interface EntryReader {
  /** Opens a PDF. @param hasForm false for one that has no fields */
  open(bytes: Uint8Array, hasForm: boolean): Promise<PageEntries>;
  /** Finds the places on a recognised page. @param drawn as shown */
  recognised(page: Page, drawn: OcrDrawing): FormEntry[];
}
