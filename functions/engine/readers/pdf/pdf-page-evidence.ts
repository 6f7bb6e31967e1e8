/** Evidence on whether a PDF page's text layer can be trusted. */
import type { Box } from "../../../ports/layout.ts";
import { MAX_PICTURE_PIXELS, type TextLayerEvidence } from "../../ocr/quality/page-evidence.ts";
import { garbledRuns } from "./garbled-runs.ts";
import { transformBox } from "./matrix.ts";
import { isVisible } from "./object-colours.ts";
import { textLayer } from "./page-glyphs.ts";
import { OBJECT_IMAGE, OBJECT_PATH, OBJECT_SHADING, objectsOf, type PlacedObject } from "./page-objects.ts";
import type { PdfPage } from "./pdf-page.ts";
import { withMemory } from "./pdfium.ts";
import { countUnreadLetters, type LetterPlaces, SeenInk, unreadPlaces } from "./unread-letters.ts";

/**
 * Cells on each side of the grid that adds up the areas of pictures: an error of half a cell at each edge is below 1 %.
 */
const GRID_CELLS_PER_SIDE = 64;
/** Pictures with fewer pixels on a side are stretched shades and lines. */
const MIN_PICTURE_SIDE_PIXELS = 12;
/**
 * Sizes of letter outlines in points: minimum thickness, minimum height or width (dots of leaders are smaller), and
 * maximum (a headline). A larger path of several letters has at least this many segments.
 */
const MIN_OUTLINE_THICKNESS_POINTS = 0.5;
const MIN_OUTLINE_SIDE_POINTS = 2;
const MAX_LETTER_SIDE_POINTS = 36;
const MIN_LETTERS_SEGMENTS = 40;
/** Shade limit; lighter fills are backgrounds of tables. */
const MAX_LETTER_SHADE = 0.75;

interface EvidenceWalk {
  page: PdfPage;
  scratch: number;
  /** One byte a cell. */
  covered: Uint8Array;
  drawn: boolean;
  largest: number;
  places: LetterPlaces;
}

/** Marks the cells whose centres a box covers. */
function markCovered({ page, covered }: EvidenceWalk, box: Box): void {
  const span = (from: number, to: number, size: number): [number, number] => [
    Math.max(Math.ceil((from / size) * GRID_CELLS_PER_SIDE - 0.5), 0),
    Math.min(Math.floor((to / size) * GRID_CELLS_PER_SIDE - 0.5), GRID_CELLS_PER_SIDE - 1),
  ];
  const [left, right] = span(box.left, box.right, page.width);
  const [top, bottom] = span(box.top, box.bottom, page.height);
  for (let row = top; row <= bottom; row += 1) {
    if (right >= left) covered.fill(1, row * GRID_CELLS_PER_SIDE + left, row * GRID_CELLS_PER_SIDE + right + 1);
  }
}

function inspectObject(walk: EvidenceWalk, { handle, type, scope }: PlacedObject): void {
  const { scratch } = walk;
  const { call, view } = walk.page.pdfium;
  walk.drawn ||= type === OBJECT_PATH || type === OBJECT_SHADING || type === OBJECT_IMAGE;
  if (type !== OBJECT_IMAGE && type !== OBJECT_PATH) return;
  if (call.FPDFPageObj_GetBounds(handle, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return;
  const own = view();
  const value = (at: number): number => own.getFloat32(scratch + 4 * at, true);
  const box = transformBox(scope.matrix, value(0), value(1), value(2), value(3));
  if (type === OBJECT_PATH) inspectPath(walk, handle, box);
  else inspectPicture(walk, handle, box);
}

/** Collects letter outlines. Letters are filled; checkboxes, rules and lines of charts are stroked. */
function inspectPath({ page: { pdfium }, scratch, places }: EvidenceWalk, path: number, box: Box): void {
  const { call } = pdfium;
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  if (Math.min(width, height) < MIN_OUTLINE_THICKNESS_POINTS || Math.max(width, height) < MIN_OUTLINE_SIDE_POINTS)
    return;
  if (Math.max(width, height) > MAX_LETTER_SIDE_POINTS && call.FPDFPath_CountSegments(path) < MIN_LETTERS_SEGMENTS)
    return;
  const isFilled =
    call.FPDFPath_GetDrawMode(path, scratch, scratch + 4) !== 0 && pdfium.view().getInt32(scratch, true) !== 0;
  if (isFilled && isVisible(pdfium, scratch, path, "fill", MAX_LETTER_SHADE)) places.outlines.push(box);
}

function inspectPicture(walk: EvidenceWalk, picture: number, box: Box): void {
  const { scratch, page, places } = walk;
  markCovered(walk, box);
  if (page.pdfium.call.FPDFImageObj_GetImagePixelSize(picture, scratch + 16, scratch + 20) === 0) return;
  const view = page.pdfium.view();
  const [width, height] = [view.getUint32(scratch + 16, true), view.getUint32(scratch + 20, true)];
  walk.largest = Math.max(walk.largest, width * height);
  if (Math.min(width, height) >= MIN_PICTURE_SIDE_PIXELS && width * height <= MAX_PICTURE_PIXELS)
    places.pictures.push({ box, object: picture, width, height });
}

/**
 * Gathers evidence on the drawing and the text layer of a page. The text layer is read once for this and for the words.
 * @param seen ink of the document's earlier pages
 * @param isRecognised tells whether a page with this picture cover gets OCR anyway; letters are then not counted
 */
export function textLayerEvidence(
  page: PdfPage,
  seen = new SeenInk(),
  isRecognised: (pictureCover: number) => boolean = () => false,
): TextLayerEvidence {
  const walk: EvidenceWalk = {
    page,
    scratch: 0,
    covered: new Uint8Array(GRID_CELLS_PER_SIDE * GRID_CELLS_PER_SIDE),
    drawn: false,
    largest: 0,
    places: { pictures: [], outlines: [] },
  };
  withMemory(page.pdfium, 24, (scratch) => {
    walk.scratch = scratch;
    for (const object of objectsOf(page)) inspectObject(walk, object);
  });
  const { glyphs, unmapped } = textLayer(page);
  const hidden = glyphs.reduce((sum, { style }) => sum + (style.hidden ? 1 : 0), 0);
  const most = Math.max(glyphs.length, 1);
  const garbled = garbledRuns(page, glyphs, unmapped);
  const pictureCover = walk.covered.reduce((sum, cell) => sum + cell, 0) / walk.covered.length;
  const places = glyphs.length > 0 ? unreadPlaces(page, walk.places, glyphs, seen) : [];
  const unread = places.length > 0 && !isRecognised(pictureCover) ? countUnreadLetters(page, places, glyphs) : 0;
  return {
    pictureCover,
    hiddenShare: hidden / most,
    unmappedShare: unmapped.length / most,
    largestPicture: walk.largest,
    drawn: walk.drawn || glyphs.length > 0,
    ...(unread > 0 ? { unreadLetters: unread } : {}),
    ...(garbled.length > 0 ? { garbled } : {}),
  };
}
