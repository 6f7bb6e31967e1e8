/** Candidate places for barcodes on a PDF page, found without its pixels. */

import type { Box } from "../../../ports/layout.ts";
import { area, middleX, middleY, unionBox } from "../../layout/geometry.ts";
import { connectedShapes } from "../figures/figure-drawings.ts";
import { nativeDpi, type PlannedFigure } from "../figures/figure-plan.ts";
import type { PageDrawing } from "../pdf/page-drawing.ts";

/** Limits in points: a symbol is at least 0.2 inches on either side, and at most 6 by 3 inches. */
const MIN_SIDE_POINTS = 14;
const MAX_LONG_SIDE_POINTS = 432;
const MAX_SHORT_SIDE_POINTS = 216;
/**
 * Limits for the images of a candidate: a code of one inch at 1,000 dpi, and the bytes of 400 × 400 pixels as a JPEG,
 * which stores codes worst. Larger images are photographs, which cost time to decode.
 */
const MAX_FIGURE_PIXELS = 1_000_000;
const MAX_FIGURE_BYTES = 40_000;
/**
 * Distance between the centres of two bars, maximum and mean, for modules of half a millimetre. Table rows stand
 * further apart.
 */
const MAX_BAR_STEP_POINTS = 8;
const MAX_MEAN_BAR_STEP_POINTS = 5;
/** EAN-8 has 22 bars; its guard bars are longer than the others. */
const MIN_BARS = 14;
/** Tolerance for the ends of bars in one row. */
const BAR_END_TOLERANCE_POINTS = 1;
/** Larger than a page in points, so that two coordinates make one key. */
const KEY_STRIDE_POINTS = 1_000_000;
/** Modules of two-dimensional symbols, with runs of modules joined; the smallest symbols have about this many. */
const MAX_MODULE_RUN_POINTS = 30;
const MIN_MODULES = 40;
/**
 * Grid cell in points. A quarter of an inch holds at least this many pieces when modules are a millimetre and half of
 * them dark.
 */
const GRID_CELL_POINTS = 18;
const GRID_KEY_STRIDE_CELLS = 1_000;
const MIN_PIECES_PER_CELL = 5;
/** Drawings with more pieces are maps or plans. */
const MAX_PIECES = 20_000;

/** A line, which has no thickness, or a filled box. */
interface DrawnPiece {
  box: Box;
}

function hasSymbolSize({ left, top, right, bottom }: Box): boolean {
  const [short, long] = [Math.min(right - left, bottom - top), Math.max(right - left, bottom - top)];
  return short >= MIN_SIDE_POINTS && short <= MAX_SHORT_SIDE_POINTS && long <= MAX_LONG_SIDE_POINTS;
}

function piecesOf({ horizontal, vertical, fills }: PageDrawing): DrawnPiece[] {
  if (horizontal.length + vertical.length + fills.length > MAX_PIECES) return [];
  return [
    ...horizontal.map(({ at, from, to }) => ({ box: { left: from, right: to, top: at, bottom: at } })),
    ...vertical.map(({ at, from, to }) => ({ box: { left: at, right: at, top: from, bottom: to } })),
    ...fills.map(({ box }) => ({ box })),
  ];
}

/** Rows of bars: equally long, aligned and close to each other. @param upright false for bars that lie on their side */
function barRows(pieces: readonly DrawnPiece[], upright: boolean): Box[] {
  const rows = new Map<number, { at: number; box: Box }[]>();
  for (const { box } of pieces) {
    const from = upright ? box.top : box.left;
    const to = upright ? box.bottom : box.right;
    // Nearly all lines of tables are longer.
    if (to - from < MIN_SIDE_POINTS || to - from > MAX_SHORT_SIDE_POINTS) continue;
    const at = upright ? middleX(box) : middleY(box);
    const key =
      Math.round(from / BAR_END_TOLERANCE_POINTS) * KEY_STRIDE_POINTS + Math.round(to / BAR_END_TOLERANCE_POINTS);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [{ at, box }]);
    else row.push({ at, box });
  }
  const found: Box[] = [];
  for (const row of rows.values()) {
    if (row.length < MIN_BARS) continue;
    row.sort((a, b) => a.at - b.at);
    let run: Box[] = [];
    for (const [index, { at, box }] of row.entries()) {
      if (at - (row[index - 1]?.at ?? at) > MAX_BAR_STEP_POINTS) run = [];
      run.push(box);
      const next = row[index + 1];
      const ends = next === undefined || next.at - at > MAX_BAR_STEP_POINTS;
      if (!ends || run.length < MIN_BARS) continue;
      const place = unionBox(run);
      const across = upright ? place.right - place.left : place.bottom - place.top;
      if (across <= MAX_MEAN_BAR_STEP_POINTS * run.length) found.push(place);
    }
  }
  return found;
}

/** Areas full of small pieces that stand closer than the cells of any table. */
function moduleFields(pieces: readonly DrawnPiece[], width: number, height: number): Box[] {
  const cells = new Map<number, DrawnPiece[]>();
  for (const piece of pieces) {
    const { left, top, right, bottom } = piece.box;
    if (right - left > MAX_MODULE_RUN_POINTS || bottom - top > MAX_MODULE_RUN_POINTS) continue;
    const key = Math.floor(top / GRID_CELL_POINTS) * GRID_KEY_STRIDE_CELLS + Math.floor(left / GRID_CELL_POINTS);
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, [piece]);
    else cell.push(piece);
  }
  const dense = [...cells.values()].filter(({ length }) => length >= MIN_PIECES_PER_CELL).flat();
  if (dense.length < MIN_MODULES) return [];
  return connectedShapes(dense, width, height).flatMap((group) =>
    group.length < MIN_MODULES ? [] : [unionBox(group.map(({ box }) => box))],
  );
}

/** A place where a barcode may stand, with the resolution to scan it at. */
export interface BarcodeCandidate {
  /** Points, as shown. */
  box: Box;
  dpi: number;
}

/** Modules of 0.25 mm, the minimum for printers, are two pixels wide. */
const SCAN_DPI = 200;
/** Factor on a picture's own resolution. More pixels show nothing new. */
const MAX_UPSCALE_FACTOR = 1.5;

function scanDpi({ images, drawn }: PlannedFigure): number {
  return drawn ? SCAN_DPI : Math.min(SCAN_DPI, MAX_UPSCALE_FACTOR * nativeDpi(images));
}

/**
 * Candidate places from top to bottom: pictures and drawings of a symbol's size, rows of bars, and fields of modules.
 * Codes set in a barcode font are not found.
 * @param figures the figures of the page, including those that other pages repeat
 */
export function barcodeCandidates(
  { width, height }: { width: number; height: number },
  drawing: PageDrawing,
  figures: readonly PlannedFigure[],
): BarcodeCandidate[] {
  const smallFigures = figures.filter(
    ({ images }) =>
      images.reduce((sum, image) => sum + image.width * image.height, 0) <= MAX_FIGURE_PIXELS &&
      images.reduce((sum, image) => sum + image.size, 0) <= MAX_FIGURE_BYTES,
  );
  const pieces = piecesOf(drawing);
  const drawn = [...barRows(pieces, true), ...barRows(pieces, false), ...moduleFields(pieces, width, height)];
  const places = [
    ...smallFigures.map((figure) => ({ box: figure.box, dpi: scanDpi(figure) })),
    ...drawn.map((box) => ({ box, dpi: SCAN_DPI })),
  ].filter(({ box }) => hasSymbolSize(box));
  // A candidate inside another one is scanned with it.
  const inside = (inner: Box, outer: Box): boolean =>
    inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right && inner.bottom <= outer.bottom;
  places.sort((a, b) => area(b.box) - area(a.box));
  return places
    .filter(({ box }, index) => !places.slice(0, index).some((larger) => inside(box, larger.box)))
    .sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left);
}
