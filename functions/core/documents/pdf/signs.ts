/** What of a PDF page tells whether its text layer can be trusted. */
import type { Box } from "../layout.ts";
import type { PageSigns } from "../signs.ts";
import { pageText } from "./glyphs.ts";
import { objectMatrix } from "./matrix.ts";
import { withMemory } from "./pdfium.ts";
import { type Matrix, type PdfPage, transformBox } from "./reader.ts";

/** FPDF_PAGEOBJ_*, fpdf_edit.h. */
const PATH = 2;
const IMAGE = 3;
const SHADING = 4;
const FORM = 5;
/** Cells to a side of the grid on which pictures' areas are added up: half a cell's error at each edge is below 1 %. */
const CELLS = 64;
/** What a hostile page draws beyond is not looked at. */
const MOST_OBJECTS = 50_000;
/** Forms within forms; pdfium itself gives up at about as many. */
const DEEPEST = 12;

interface Walk {
  page: PdfPage;
  scratch: number;
  /** One byte a cell. */
  covered: Uint8Array;
  drawn: boolean;
  largest: number;
  left: number;
}

/** Marks the cells whose middles a box covers. */
function cover({ page, covered }: Walk, box: Box): void {
  const span = (from: number, to: number, size: number): [number, number] => [
    Math.max(Math.ceil((from / size) * CELLS - 0.5), 0),
    Math.min(Math.floor((to / size) * CELLS - 0.5), CELLS - 1),
  ];
  const [left, right] = span(box.left, box.right, page.width);
  const [top, bottom] = span(box.top, box.bottom, page.height);
  for (let row = top; row <= bottom; row += 1) {
    if (right >= left) covered.fill(1, row * CELLS + left, row * CELLS + right + 1);
  }
}

/** @param toShown from the object's space to the page as shown */
function look(walk: Walk, object: number, toShown: Matrix, depth: number): void {
  const { scratch } = walk;
  const { call, view } = walk.page.pdfium;
  const type = call.FPDFPageObj_GetType(object);
  if (type === FORM) {
    const inner = objectMatrix(walk.page.pdfium, scratch, object, toShown);
    const count = depth < DEEPEST ? call.FPDFFormObj_CountObjects(object) : 0;
    for (let index = 0; index < count && walk.left > 0; index += 1) {
      walk.left -= 1;
      look(walk, call.FPDFFormObj_GetObject(object, index), inner, depth + 1);
    }
    return;
  }
  walk.drawn ||= type === PATH || type === SHADING || type === IMAGE;
  if (type !== IMAGE) return;
  if (call.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return;
  const own = view();
  const value = (at: number): number => own.getFloat32(scratch + 4 * at, true);
  if (call.FPDFImageObj_GetImagePixelSize(object, scratch + 16, scratch + 20) !== 0) {
    const size = view();
    const pixels = size.getUint32(scratch + 16, true) * size.getUint32(scratch + 20, true);
    walk.largest = Math.max(walk.largest, pixels);
  }
  cover(walk, transformBox(toShown, value(0), value(1), value(2), value(3)));
}

/** Looks at what is drawn on a page; its text is read once for this and for its words. */
export function pageSigns(page: PdfPage): PageSigns {
  const { call } = page.pdfium;
  const walk: Walk = {
    page,
    scratch: 0,
    covered: new Uint8Array(CELLS * CELLS),
    drawn: false,
    largest: 0,
    left: MOST_OBJECTS,
  };
  withMemory(page.pdfium, 24, (scratch) => {
    walk.scratch = scratch;
    const count = call.FPDFPage_CountObjects(page.handle);
    for (let index = 0; index < count && walk.left > 0; index += 1) {
      walk.left -= 1;
      look(walk, call.FPDFPage_GetObject(page.handle, index), page.toShown, 0);
    }
  });
  const { glyphs, unmapped } = pageText(page);
  const hidden = glyphs.reduce((sum, { style }) => sum + (style.hidden ? 1 : 0), 0);
  const most = Math.max(glyphs.length, 1);
  return {
    pictureCover: walk.covered.reduce((sum, cell) => sum + cell, 0) / walk.covered.length,
    hiddenShare: hidden / most,
    unmappedShare: unmapped / most,
    largestPicture: walk.largest,
    drawn: walk.drawn || glyphs.length > 0,
  };
}
