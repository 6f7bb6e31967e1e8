import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";

export interface DrawnLine {
  text: string;
  /** Points from the left and bottom edge of the page to the start of the baseline. */
  x: number;
  y: number;
  size?: number;
}

/** A PDF of letter pages (612 × 792 points) with these lines in Helvetica; always the same bytes. */
export async function drawPdf(pages: readonly (readonly DrawnLine[])[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const lines of pages) {
    const page = pdf.addPage([612, 792]);
    for (const { text, x, y, size = 12 } of lines) page.drawText(text, { x, y, size, font });
  }
  return pdf.save();
}
