/** A path object as a shape: free drawing, or only rules and boxes. */
import type { Box } from "../../../ports/layout.ts";
import type { Matrix } from "./matrix.ts";
import { isVisible } from "./object-colours.ts";
import type { Pdfium } from "./pdfium.ts";

export interface PathShape {
  /** Points, as shown. */
  box: Box;
  /** Curved or slanted pieces: none for rules and boxes of tables and forms, also with rounded corners. */
  drawn: number;
  /** A filled upright box: a bar of a chart, a band of a table. */
  filled: boolean;
}

/** FPDF_SEGMENT_*, fpdf_edit.h. */
export const SEGMENT_LINE_TO = 0;
const SEGMENT_BEZIER_TO = 1;
export const SEGMENT_MOVE_TO = 2;

/** A path with more segments is certainly a drawing: a letter's outline, a curve, a map. */
export const MAX_PATH_SEGMENTS = 2_000;
/** Limit of pieces counted for one path. */
const MAX_DRAWN_PIECES = 60;
/** Deviation of a level line in points. */
const MAX_SLANT_POINTS = 0.75;
/** A rounded box has four corners of one or two curves each. */
const MAX_CORNER_PIECES = 8;
/**
 * Share of straight edges in the outline of a box with rounded corners; length of a corner relative to the short side.
 */
const MIN_STRAIGHT_SHARE = 0.4;
const MAX_CORNER_SIDE_SHARE = 0.75;

interface Outline {
  /** Count of curved or slanted pieces. */
  free: number;
  /** Lengths in points. */
  straight: number;
  whole: number;
  longestFree: number;
  /** The shorter side of its bounding box in points. */
  side: number;
}

function traceOutline(pdfium: Pdfium, scratch: number, object: number, count: number, matrix: Matrix): Outline {
  const { call } = pdfium;
  const outline: Outline = { free: 0, straight: 0, whole: 0, longestFree: 0, side: 0 };
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const extendBounds = (px: number, py: number): void => {
    bounds.left = Math.min(bounds.left, px);
    bounds.right = Math.max(bounds.right, px);
    bounds.top = Math.min(bounds.top, py);
    bounds.bottom = Math.max(bounds.bottom, py);
  };
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let curvePoints = 0;
  const addPiece = (toX: number, toY: number, curved: boolean): void => {
    const [dx, dy] = [Math.abs(toX - x), Math.abs(toY - y)];
    const length = Math.hypot(dx, dy);
    outline.whole += length;
    if (!curved && Math.min(dx, dy) <= MAX_SLANT_POINTS) outline.straight += length;
    else if (length > MAX_SLANT_POINTS) {
      outline.free += 1;
      outline.longestFree = Math.max(outline.longestFree, length);
    }
    [x, y] = [toX, toY];
    extendBounds(x, y);
  };
  for (let index = 0; index < count; index += 1) {
    const segment = call.FPDFPath_GetPathSegment(object, index);
    if (call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4) === 0) continue;
    const view = pdfium.view();
    const [px, py] = [view.getFloat32(scratch, true), view.getFloat32(scratch + 4, true)];
    const [toX, toY] = [matrix.a * px + matrix.c * py + matrix.e, matrix.b * px + matrix.d * py + matrix.f];
    const type = call.FPDFPathSegment_GetType(segment);
    if (type === SEGMENT_MOVE_TO) {
      [x, y, startX, startY, curvePoints] = [toX, toY, toX, toY, 0];
      extendBounds(x, y);
    } else if (type === SEGMENT_LINE_TO) addPiece(toX, toY, false);
    else if (type === SEGMENT_BEZIER_TO) {
      // Two control points, then the end of the curve.
      curvePoints += 1;
      if (curvePoints % 3 === 0) addPiece(toX, toY, true);
    }
    if (call.FPDFPathSegment_GetClose(segment) !== 0) addPiece(startX, startY, false);
  }
  outline.side = Math.min(bounds.right - bounds.left, bounds.bottom - bounds.top);
  return outline;
}

/**
 * The shape of a path object, without its box; undefined when it is invisible.
 * @param scratch 16 bytes
 * @param matrix from the object's space to the page as shown
 */
export function readShape(
  pdfium: Pdfium,
  scratch: number,
  object: number,
  matrix: Matrix,
): (Omit<PathShape, "box"> & { segments: number }) | undefined {
  const { call } = pdfium;
  const segments = call.FPDFPath_CountSegments(object);
  if (segments < 2 || call.FPDFPath_GetDrawMode(object, scratch, scratch + 4) === 0) return undefined;
  const view = pdfium.view();
  const [fills, strokes] = [view.getInt32(scratch, true) !== 0, view.getInt32(scratch + 4, true) !== 0];
  const filled = fills && isVisible(pdfium, scratch, object, "fill");
  if (!filled && !(strokes && isVisible(pdfium, scratch, object, "stroke"))) return undefined;
  if (segments > MAX_PATH_SEGMENTS) return { drawn: MAX_DRAWN_PIECES, filled: false, segments };
  const { free, straight, whole, longestFree, side } = traceOutline(pdfium, scratch, object, segments, matrix);
  const upright = straight >= MIN_STRAIGHT_SHARE * whole && longestFree <= MAX_CORNER_SIDE_SHARE * side;
  return {
    drawn: upright && free <= MAX_CORNER_PIECES ? 0 : Math.min(free, MAX_DRAWN_PIECES),
    filled: filled && upright,
    segments,
  };
}
