/** What of a PDF page tells whether its text layer can be trusted. */
import type { Box } from "../../../ports/layout.ts";
import { MOST_PICTURE_PIXELS, type PageSigns } from "../../ocr/quality/page-evidence.ts";
import { garbledRuns } from "./garbled-runs.ts";
import { pageText } from "./page-glyphs.ts";
import { IMAGE, objectsOf, PATH, type PlacedObject, SHADING } from "./page-objects.ts";
import { isVisible } from "./path-shapes.ts";
import { type PdfPage, transformBox } from "./pdf-document.ts";
import { withMemory } from "./pdfium.ts";
import { countUnread, type InkPlaces, placesWorth, SeenInk } from "./unread-letters.ts";

/** Cells to a side of the grid on which pictures' areas are added up: half a cell's error at each edge is below 1 %. */
const CELLS = 64;
/** Pixels: pictures of fewer either way are shades and lines, stretched. */
const LEAST_PIXELS = 12;
/**
 * All in points. Outlines of letters are at least so thick, at least so high or wide (dots of leaders are less), and no
 * larger than a headline; a path of several letters has as many segments as this.
 */
const THINNEST_OUTLINE = 0.5;
const LEAST_OUTLINE = 2;
const LARGEST_OUTLINE = 36;
const LETTERS_SEGMENTS = 40;
/** Of white: lighter are the shades of tables. */
const LIGHTEST_LETTER = 0.75;

interface Walk {
  page: PdfPage;
  scratch: number;
  /** One byte a cell. */
  covered: Uint8Array;
  drawn: boolean;
  largest: number;
  places: InkPlaces;
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

function look(walk: Walk, { handle, type, scope }: PlacedObject): void {
  const { scratch } = walk;
  const { call, view } = walk.page.pdfium;
  walk.drawn ||= type === PATH || type === SHADING || type === IMAGE;
  if (type !== IMAGE && type !== PATH) return;
  if (call.FPDFPageObj_GetBounds(handle, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return;
  const own = view();
  const value = (at: number): number => own.getFloat32(scratch + 4 * at, true);
  const box = transformBox(scope.matrix, value(0), value(1), value(2), value(3));
  if (type === PATH) lookAtPath(walk, handle, box);
  else lookAtPicture(walk, handle, box);
}

/** Letters are filled; boxes to tick, rules and the lines of charts are stroked. */
function lookAtPath({ page: { pdfium }, scratch, places }: Walk, path: number, box: Box): void {
  const { call } = pdfium;
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  if (Math.min(width, height) < THINNEST_OUTLINE || Math.max(width, height) < LEAST_OUTLINE) return;
  if (Math.max(width, height) > LARGEST_OUTLINE && call.FPDFPath_CountSegments(path) < LETTERS_SEGMENTS) return;
  const isFilled =
    call.FPDFPath_GetDrawMode(path, scratch, scratch + 4) !== 0 && pdfium.view().getInt32(scratch, true) !== 0;
  if (isFilled && isVisible(pdfium, scratch, path, "fill", LIGHTEST_LETTER)) places.outlines.push(box);
}

function lookAtPicture(walk: Walk, picture: number, box: Box): void {
  const { scratch, page, places } = walk;
  cover(walk, box);
  if (page.pdfium.call.FPDFImageObj_GetImagePixelSize(picture, scratch + 16, scratch + 20) === 0) return;
  const view = page.pdfium.view();
  const [width, height] = [view.getUint32(scratch + 16, true), view.getUint32(scratch + 20, true)];
  walk.largest = Math.max(walk.largest, width * height);
  if (Math.min(width, height) >= LEAST_PIXELS && width * height <= MOST_PICTURE_PIXELS)
    places.pictures.push({ box, object: picture, width, height });
}

/**
 * Looks at what is drawn on a page; its text is read once for this and for its words.
 * @param seen what its document's earlier pages show
 * @param isRecognised whether a page whose pictures cover so much of it is recognised anyway: no letters are counted then
 */
export function pageSigns(
  page: PdfPage,
  seen = new SeenInk(),
  isRecognised: (pictureCover: number) => boolean = () => false,
): PageSigns {
  const walk: Walk = {
    page,
    scratch: 0,
    covered: new Uint8Array(CELLS * CELLS),
    drawn: false,
    largest: 0,
    places: { pictures: [], outlines: [] },
  };
  withMemory(page.pdfium, 24, (scratch) => {
    walk.scratch = scratch;
    for (const object of objectsOf(page)) look(walk, object);
  });
  const { glyphs, unmapped } = pageText(page);
  const hidden = glyphs.reduce((sum, { style }) => sum + (style.hidden ? 1 : 0), 0);
  const most = Math.max(glyphs.length, 1);
  const garbled = garbledRuns(page, glyphs, unmapped);
  const pictureCover = walk.covered.reduce((sum, cell) => sum + cell, 0) / walk.covered.length;
  const places = glyphs.length > 0 ? placesWorth(page, walk.places, glyphs, seen) : [];
  const unread = places.length > 0 && !isRecognised(pictureCover) ? countUnread(page, places, glyphs) : 0;
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
