/** Where on a PDF's page barcodes may stand, told without looking at its pixels. */

import type { Box } from "../../../ports/layout.ts";
import { area, middleX, middleY, unionBox } from "../../layout/geometry.ts";
import { connectedShapes } from "../figures/figure-drawings.ts";
import { nativeDpi, type PlannedFigure } from "../figures/figure-plan.ts";
import type { PageDrawing } from "../pdf/page-drawing.ts";

/** All in points. A symbol is no smaller than 0.2 inches either way, no larger than 6 and 3. */
const LEAST_SIDE = 14;
const MOST_LONG_SIDE = 432;
const MOST_SHORT_SIDE = 216;
/**
 * The pictures in it: a code of an inch at 1,000 dpi, in as many bytes as one of 400 pixels squared takes as a JPEG, which
 * stores it worst. More are a photograph, which costs time to decode.
 */
const MOST_PIXELS = 1_000_000;
const MOST_BYTES = 40_000;
/** Between two bars' middles at most, and on average: of modules of half a millimetre. Rows of a table are further apart. */
const BAR_STEP = 8;
const MEAN_STEP = 5;
/** EAN-8 has 22 bars, of which the guards are longer than the others. */
const LEAST_BARS = 14;
/** The ends of bars that stand in one row differ by no more. */
const ALIGNED = 1;
/** More than a page has points, so that two places make one key. */
const KEYS = 1_000_000;
/** Modules of symbols in two dimensions, runs of them joined; the smallest symbols have about so many. */
const LONGEST_RUN = 30;
const LEAST_MODULES = 40;
/** Points: a quarter of an inch has so many of them at the least, where modules are a millimetre and half of them dark. */
const CELL = 18;
const CELL_COLUMNS = 1_000;
const LEAST_IN_CELL = 5;
/** More pieces are a map or a plan. */
const MOST_PIECES = 20_000;

/** A line, which has no thickness, or a box that is filled. */
interface Piece {
  box: Box;
}

function hasSize({ left, top, right, bottom }: Box): boolean {
  const [short, long] = [Math.min(right - left, bottom - top), Math.max(right - left, bottom - top)];
  return short >= LEAST_SIDE && short <= MOST_SHORT_SIDE && long <= MOST_LONG_SIDE;
}

function piecesOf({ horizontal, vertical, fills }: PageDrawing): Piece[] {
  if (horizontal.length + vertical.length + fills.length > MOST_PIECES) return [];
  return [
    ...horizontal.map(({ at, from, to }) => ({ box: { left: from, right: to, top: at, bottom: at } })),
    ...vertical.map(({ at, from, to }) => ({ box: { left: at, right: at, top: from, bottom: to } })),
    ...fills.map(({ box }) => ({ box })),
  ];
}

/** Rows of bars: equally long, at the same height, close to each other. @param upright else they lie on their sides */
function barRows(pieces: readonly Piece[], upright: boolean): Box[] {
  const rows = new Map<number, { at: number; box: Box }[]>();
  for (const { box } of pieces) {
    const from = upright ? box.top : box.left;
    const to = upright ? box.bottom : box.right;
    // Nearly all lines of tables are longer.
    if (to - from < LEAST_SIDE || to - from > MOST_SHORT_SIDE) continue;
    const at = upright ? middleX(box) : middleY(box);
    const key = Math.round(from / ALIGNED) * KEYS + Math.round(to / ALIGNED);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [{ at, box }]);
    else row.push({ at, box });
  }
  const found: Box[] = [];
  for (const row of rows.values()) {
    if (row.length < LEAST_BARS) continue;
    row.sort((a, b) => a.at - b.at);
    let run: Box[] = [];
    for (const [index, { at, box }] of row.entries()) {
      if (at - (row[index - 1]?.at ?? at) > BAR_STEP) run = [];
      run.push(box);
      const next = row[index + 1];
      const ends = next === undefined || next.at - at > BAR_STEP;
      if (!ends || run.length < LEAST_BARS) continue;
      const place = unionBox(run);
      const across = upright ? place.right - place.left : place.bottom - place.top;
      if (across <= MEAN_STEP * run.length) found.push(place);
    }
  }
  return found;
}

/** Areas full of small pieces, closer to each other than any table's cells. */
function moduleFields(pieces: readonly Piece[], width: number, height: number): Box[] {
  const cells = new Map<number, Piece[]>();
  for (const piece of pieces) {
    const { left, top, right, bottom } = piece.box;
    if (right - left > LONGEST_RUN || bottom - top > LONGEST_RUN) continue;
    const key = Math.floor(top / CELL) * CELL_COLUMNS + Math.floor(left / CELL);
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, [piece]);
    else cell.push(piece);
  }
  const dense = [...cells.values()].filter(({ length }) => length >= LEAST_IN_CELL).flat();
  if (dense.length < LEAST_MODULES) return [];
  return connectedShapes(dense, width, height).flatMap((group) =>
    group.length < LEAST_MODULES ? [] : [unionBox(group.map(({ box }) => box))],
  );
}

/** Where a barcode may stand, and the resolution to look at it with. */
export interface BarcodePlace {
  /** Points, as shown. */
  box: Box;
  dpi: number;
}

/** Modules of 0.25 mm, the least that printers are asked for, are two pixels wide. */
const DPI = 200;
/** A picture's own pixels, and half as many again each way: more show nothing new. */
const FINER = 1.5;

function dpiOf({ images, drawn }: PlannedFigure): number {
  return drawn ? DPI : Math.min(DPI, FINER * nativeDpi(images));
}

/**
 * Pictures and drawings of a symbol's size, rows of bars, and fields of modules, from top to bottom. Codes that are set
 * in a font of bars are not among them.
 * @param figures the page's own, with those that other pages repeat
 */
export function barcodePlaces(
  { width, height }: { width: number; height: number },
  drawing: PageDrawing,
  figures: readonly PlannedFigure[],
): BarcodePlace[] {
  const light = figures.filter(
    ({ images }) =>
      images.reduce((sum, image) => sum + image.width * image.height, 0) <= MOST_PIXELS &&
      images.reduce((sum, image) => sum + image.size, 0) <= MOST_BYTES,
  );
  const pieces = piecesOf(drawing);
  const drawn = [...barRows(pieces, true), ...barRows(pieces, false), ...moduleFields(pieces, width, height)];
  const places = [
    ...light.map((figure) => ({ box: figure.box, dpi: dpiOf(figure) })),
    ...drawn.map((box) => ({ box, dpi: DPI })),
  ].filter(({ box }) => hasSize(box));
  // What lies within another is seen with it.
  const inside = (inner: Box, outer: Box): boolean =>
    inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right && inner.bottom <= outer.bottom;
  places.sort((a, b) => area(b.box) - area(a.box));
  return places
    .filter(({ box }, index) => !places.slice(0, index).some((larger) => inside(box, larger.box)))
    .sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left);
}
