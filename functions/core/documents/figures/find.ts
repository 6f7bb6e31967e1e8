/** The figures of a document. */
import { OFFICE_TYPES, PDF } from "../media-types.ts";
import type { Figure } from "./model.ts";
import { officeFigures } from "./office.ts";
import { pdfFigures } from "./pdf.ts";

/**
 * Pictures and drawings with their images: of a PDF at native pixels or 200 dpi, parts of one picture joined, without
 * scans and backgrounds of whole pages, icons, lines and repeated logos; of office documents as they are in the file. At
 * most 500, 50 MB, 100 megapixels. Images, text and other documents have none.
 * @param pageRange 1-based, for PDFs; absent: all
 * @throws JobFailure: corrupted, password protected
 */
export async function findFigures(
  bytes: Uint8Array,
  mimeType: string,
  { pageRange }: { pageRange?: readonly number[] } = {},
): Promise<Figure[]> {
  if (mimeType === PDF) return pdfFigures(bytes, pageRange === undefined ? undefined : new Set(pageRange));
  if (!OFFICE_TYPES.has(mimeType)) return [];
  const figures = await officeFigures(bytes, mimeType);
  return pageRange === undefined ? figures : figures.filter(({ pageNumber }) => pageRange.includes(pageNumber));
}
