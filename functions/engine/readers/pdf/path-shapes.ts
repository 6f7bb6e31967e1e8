/** A path object as a shape: how much of it is drawn freely, and how much is only rules and boxes. */
import type { Box } from "../../../ports/layout.ts";
import type { Matrix } from "./pdf-document.ts";
import type { Pdfium } from "./pdfium.ts";

export interface Shape {
  /** Points, as shown. */
  box: Box;
  /** Pieces that are curved or aslant: none for the rules and boxes of tables and forms, also with rounded corners. */
  drawn: number;
  /** A filled upright box: a bar of a chart, a band of a table. */
  filled: boolean;
}

/** FPDF_SEGMENT_*, fpdf_edit.h. */
const LINE_TO = 0;
const BEZIER_TO = 1;
const MOVE_TO = 2;

/** A path with more segments is a drawing for certain. */
const MAX_PATH_SEGMENTS = 2_000;
/** One path speaks no louder than this. */
const MOST_DRAWN = 60;
/** Points by which a line that is meant to be level may lean. */
const SLANT = 0.75;
/** A rounded box has four corners, of a curve or two each. */
const MOST_CORNERS = 8;
/** Nearly white on white, nearly transparent. */
const WHITE = 0.985;
const TRANSPARENT = 8;
/** Of its outline, a box with rounded corners is straight for so much; corners are no longer than its short side. */
const STRAIGHT = 0.4;
const CORNER = 0.75;

/** Whether a colour is seen on white paper; a pattern is. @param scratch 16 bytes @param lightest of 1, white */
export function isVisible(
  pdfium: Pdfium,
  scratch: number,
  object: number,
  of: "fill" | "stroke",
  lightest = WHITE,
): boolean {
  const { call } = pdfium;
  const ask = of === "fill" ? call.FPDFPageObj_GetFillColor : call.FPDFPageObj_GetStrokeColor;
  if (ask(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return true;
  const view = pdfium.view();
  const [r = 0, g = 0, b = 0, alpha = 0] = [0, 4, 8, 12].map((offset) => view.getUint32(scratch + offset, true));
  // ITU-R BT.601, the luma of red, green and blue.
  return alpha > TRANSPARENT && (0.299 * r + 0.587 * g + 0.114 * b) / 255 < lightest;
}

interface Outline {
  /** Curved or aslant pieces. */
  free: number;
  /** Lengths, points. */
  straight: number;
  whole: number;
  longestFree: number;
  /** The shorter side of the box around it, points. */
  side: number;
}

function trace(pdfium: Pdfium, scratch: number, object: number, count: number, matrix: Matrix): Outline {
  const { call } = pdfium;
  const outline: Outline = { free: 0, straight: 0, whole: 0, longestFree: 0, side: 0 };
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const reach = (px: number, py: number): void => {
    bounds.left = Math.min(bounds.left, px);
    bounds.right = Math.max(bounds.right, px);
    bounds.top = Math.min(bounds.top, py);
    bounds.bottom = Math.max(bounds.bottom, py);
  };
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let bend = 0;
  const step = (toX: number, toY: number, curved: boolean): void => {
    const [dx, dy] = [Math.abs(toX - x), Math.abs(toY - y)];
    const length = Math.hypot(dx, dy);
    outline.whole += length;
    if (!curved && Math.min(dx, dy) <= SLANT) outline.straight += length;
    else if (length > SLANT) {
      outline.free += 1;
      outline.longestFree = Math.max(outline.longestFree, length);
    }
    [x, y] = [toX, toY];
    reach(x, y);
  };
  for (let index = 0; index < count; index += 1) {
    const segment = call.FPDFPath_GetPathSegment(object, index);
    if (call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4) === 0) continue;
    const view = pdfium.view();
    const [px, py] = [view.getFloat32(scratch, true), view.getFloat32(scratch + 4, true)];
    const [toX, toY] = [matrix.a * px + matrix.c * py + matrix.e, matrix.b * px + matrix.d * py + matrix.f];
    const type = call.FPDFPathSegment_GetType(segment);
    if (type === MOVE_TO) {
      [x, y, startX, startY, bend] = [toX, toY, toX, toY, 0];
      reach(x, y);
    } else if (type === LINE_TO) step(toX, toY, false);
    else if (type === BEZIER_TO) {
      // Two control points, then the end of the curve.
      bend += 1;
      if (bend % 3 === 0) step(toX, toY, true);
    }
    if (call.FPDFPathSegment_GetClose(segment) !== 0) step(startX, startY, false);
  }
  outline.side = Math.min(bounds.right - bounds.left, bounds.bottom - bounds.top);
  return outline;
}

/**
 * What a path object draws, without its box; undefined when nothing of it is seen.
 * @param scratch 16 bytes
 * @param matrix from the object's space to the page as shown
 */
export function readShape(
  pdfium: Pdfium,
  scratch: number,
  object: number,
  matrix: Matrix,
): (Omit<Shape, "box"> & { segments: number }) | undefined {
  const { call } = pdfium;
  const segments = call.FPDFPath_CountSegments(object);
  if (segments < 2 || call.FPDFPath_GetDrawMode(object, scratch, scratch + 4) === 0) return undefined;
  const view = pdfium.view();
  const [fills, strokes] = [view.getInt32(scratch, true) !== 0, view.getInt32(scratch + 4, true) !== 0];
  const filled = fills && isVisible(pdfium, scratch, object, "fill");
  if (!filled && !(strokes && isVisible(pdfium, scratch, object, "stroke"))) return undefined;
  if (segments > MAX_PATH_SEGMENTS) return { drawn: MOST_DRAWN, filled: false, segments };
  const { free, straight, whole, longestFree, side } = trace(pdfium, scratch, object, segments, matrix);
  const upright = straight >= STRAIGHT * whole && longestFree <= CORNER * side;
  return {
    drawn: upright && free <= MOST_CORNERS ? 0 : Math.min(free, MOST_DRAWN),
    filled: filled && upright,
    segments,
  };
}
