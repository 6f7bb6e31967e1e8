/**
 * Keeps what a page reads as free of what was drawn before it. pdfium shows fonts that a file does not embed with two
 * typefaces of variable width (multiple master, one with serifs) that all documents of a process share. Drawing sets
 * them to the width of its last letter, and pdfium measures the letters of fonts without widths as they then stand:
 * an `a` of 12 points was 3.6 or 9.2 points wide by what had been drawn.
 */
import { BITMAP_BGRX, type PdfiumFunctions } from "./pdfium-functions.ts";

/** Widths of `a`, in thousandths of the font size, of both typefaces as pdfium starts with them. */
const SANS_WIDTH = 553;
const SERIF_WIDTH = 574;
/** PDF 32000-1, table 123: non-symbolic; with serifs. */
const SANS_FLAGS = 32;
const SERIF_FLAGS = 34;

/** Pixels, one for each point of the page. */
const WIDTH = 20;
const HEIGHT = 10;
const PIXEL_BYTES = 4;

const font = (name: string, width: number, flags: number): string =>
  `<</Type/Font/Subtype/TrueType/BaseFont/${name}/Encoding/WinAnsiEncoding/FirstChar 97/LastChar 97/Widths[${width}]` +
  `/FontDescriptor<</Type/FontDescriptor/FontName/${name}/Flags ${flags}/StemV 80>>>>`;

/** Sizes of the letters, in thousandths of a point from 10: one that pdfium has kept drawn sets no width. */
const SIZES = 4_000;
let size = 0;

/** A page with an `a` in each typeface, as large as no other lately; pdfium finds its objects without a table. */
function letters(): Uint8Array {
  size = (size + 1) % SIZES;
  const points = (10 + size / 1_000).toFixed(3);
  const content = `BT /F1 ${points} Tf 1 1 Td (a) Tj /F2 ${points} Tf 8 0 Td (a) Tj ET`;
  return new TextEncoder().encode(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${WIDTH} ${HEIGHT}]/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
5 0 obj${font("Verdana", SANS_WIDTH, SANS_FLAGS)}endobj
6 0 obj${font("Georgia", SERIF_WIDTH, SERIF_FLAGS)}endobj
trailer<</Root 1 0 R>>
`);
}

/**
 * Sets the substitute typefaces to fixed widths and weights, by drawing a letter of each (0.4 ms). To be called when
 * the engine starts and after each drawing.
 */
export function resetSubstituteFonts({ call, bytes }: { call: PdfiumFunctions; bytes(): Uint8Array }): void {
  const file = letters();
  const data = call.malloc(file.length + WIDTH * HEIGHT * PIXEL_BYTES);
  if (data === 0) return;
  bytes().set(file, data);
  const document = call.FPDF_LoadMemDocument(data, file.length, 0);
  const page = document === 0 ? 0 : call.FPDF_LoadPage(document, 0);
  const pixels = data + file.length;
  const bitmap = page === 0 ? 0 : call.FPDFBitmap_CreateEx(WIDTH, HEIGHT, BITMAP_BGRX, pixels, WIDTH * PIXEL_BYTES);
  if (bitmap !== 0) call.FPDF_RenderPageBitmap(bitmap, page, 0, 0, WIDTH, HEIGHT, 0, 0);
  if (bitmap !== 0) call.FPDFBitmap_Destroy(bitmap);
  if (page !== 0) call.FPDF_ClosePage(page);
  if (document !== 0) call.FPDF_CloseDocument(document);
  call.free(data);
}
