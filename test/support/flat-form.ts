/** A flat form: labels, rules and boxes to write on, and no field. */
import { type PDFPage, rgb } from "@cantoo/pdf-lib";
import { drawnPdf, type Fonts, type PageOptions } from "./pdf.ts";

const BLACK = rgb(0, 0, 0);
const LABEL_SIZE = 10;
/** Left edge of labels, right end of lines and left edge of the large box, in points from the left. */
const LABEL_LEFT = 60;
const LINE_RIGHT = 450;
const BOX_LEFT = 200;
/** Between a label and its line, in points. */
const LINE_GAP = 6;

/** Draws the lines of the form; y is the first baseline. */
function drawForm(page: PDFPage, { regular, bold }: Fonts, top: number): void {
  const label = (text: string, x: number, y: number) => page.drawText(text, { x, y, size: LABEL_SIZE, font: regular });
  const line = (text: string, y: number) => {
    label(text, LABEL_LEFT, y);
    const x = LABEL_LEFT + regular.widthOfTextAtSize(text, LABEL_SIZE) + LINE_GAP;
    page.drawLine({ start: { x, y: y - 2 }, end: { x: LINE_RIGHT, y: y - 2 }, thickness: 0.8 });
  };
  const square = (x: number, y: number) =>
    page.drawRectangle({ x, y: y - 2, width: 11, height: 11, borderWidth: 0.8, borderColor: BLACK });
  page.drawText("Library card", { x: LABEL_LEFT, y: top, size: 16, font: bold });
  for (const [row, text] of ["Full name:", "Street and number:", "City:"].entries()) {
    line(text, top - 40 - 28 * row);
  }
  line("Date of birth (MM/DD/YYYY):", top - 130);
  square(LABEL_LEFT, top - 165);
  label("I accept the rules of the library", LABEL_LEFT + 18, top - 165);
  label("Remarks:", LABEL_LEFT, top - 200);
  page.drawRectangle({ x: BOX_LEFT, y: top - 270, width: 250, height: 80, borderWidth: 0.8, borderColor: BLACK });
}

/** A flat form on each page. */
export const flatForm = (options: PageOptions & { pages?: number } = {}): Promise<Uint8Array> =>
  drawnPdf(
    Array.from({ length: options.pages ?? 1 }, () => (page: PDFPage, fonts: Fonts) => {
      drawForm(page, fonts, (options.size?.[1] ?? 792) - 80);
    }),
    options,
  );
