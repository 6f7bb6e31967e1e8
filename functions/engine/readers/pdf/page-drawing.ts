/**
 * Straight lines and filled boxes of a page: the rules of its tables and forms, bands behind rows. From pdfium's page
 * objects (fpdf_edit.h), including nested forms; in points from the top left corner of the page as shown. Slanted
 * lines, curves, and white or transparent objects are left out.
 */

import type { Box } from "../../../ports/layout.ts";
import { enclosesMiddle, middleX, middleY } from "../../layout/geometry.ts";
import type { Drawing, Fill, Rule } from "../../structure/tables/table-parts.ts";
import type { Matrix } from "./matrix.ts";
import { visibleShade } from "./object-colours.ts";
import { objectMatrix } from "./object-matrix.ts";
import { OBJECT_PATH, objectsOf } from "./page-objects.ts";
import { PathPoints } from "./path-points.ts";
import { MAX_PATH_SEGMENTS, SEGMENT_LINE_TO, SEGMENT_MOVE_TO } from "./path-shapes.ts";
import { oncePerPage, type PdfPage } from "./pdf-page.ts";
import { withMemory } from "./pdfium.ts";
import { rotateBox } from "./text-directions.ts";

/** A drawing of more segments is a map or a plan; its first segments say as much about tables as all of them. */
const MAX_SEGMENTS = 100_000;
/** Points of a curve: two control points and its end. */
const POINTS_PER_CURVE = 3;
/** A path of some straight lines and no more free pieces than this is a box with rounded corners. */
const MAX_CORNER_PIECES = 8;

/** Limits in points. A filled box no thicker than this is a line; a thicker stroke is a box. */
const MAX_RULE_THICKNESS_POINTS = 3;
/** Shorter lines are dots, dashes, modules of a barcode. Dots of one line are joined where they meet. */
const MIN_RULE_LENGTH_POINTS = 0.5;
/** A level or upright line deviates no more than this over its length. */
const MAX_SLANT_POINTS = 0.5;
const MIN_FILL_SIDE_POINTS = 4;
/** A box with rounded corners has straight edges for this share of its outline. */
const MIN_STRAIGHT_SHARE = 0.5;
/** Sides of a drawn circle or oval that a person can mark: from the smallest button to a ring around large type. */
const MIN_ROUND_SIDE_POINTS = 4;
const MAX_ROUND_SIDE_POINTS = 28;
/** An oval's longer side relative to its shorter one, and its curves: drawing programs take four, some eight. */
const MAX_ROUND_RATIO = 3;
const MAX_ROUND_CURVES = 8;
/** An oval filled darker than this is a bullet. */
const MIN_PAPER_SHADE = 0.8;
/** Fills that are searched for the one under a white box, the latest first; more are a pattern. */
const MAX_FILLS_BELOW = 1_000;
/** Shades from here on are white; no shade is above 1. */
const WHITE_SHADE = 0.985;
const ANY_SHADE = 2;

const SCRATCH_BYTES = 64;

interface DrawingCollector {
  page: PdfPage;
  scratch: number;
  segments: number;
  horizontal: Rule[];
  vertical: Rule[];
  fills: Fill[];
  blanks: Box[];
  rounds: Box[];
  frames: Box[];
  free: number;
  /** Of the path being read. */
  points: PathPoints;
}

/** The drawing of a page. */
export interface PageDrawing extends Drawing {
  /** White boxes painted on a fill: they look like boxes to write in. */
  blanks: readonly Box[];
  /** Circles and ovals of the size of a radio button, to the outer edge of their stroke. */
  rounds: readonly Box[];
  /** Stroked boxes with rounded corners: their straight edges are among the rules, and do not meet. */
  frames: readonly Box[];
  /** Approximate count of curved and slanted pieces, which tables do not have. */
  free: number;
}

/** Reads a path, point by point. @param closed true to add the line back to a subpath's start; a fill implies it */
function readPoints(
  { page: { pdfium }, scratch, points }: DrawingCollector,
  { path, count, matrix, closed }: { path: number; count: number; matrix: Matrix; closed: boolean },
): void {
  const { call } = pdfium;
  points.clear();
  for (let index = 0; index < count; index += 1) {
    const segment = call.FPDFPath_GetPathSegment(path, index);
    if (call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4) === 0) continue;
    const view = pdfium.view();
    const x = view.getFloat32(scratch, true);
    const y = view.getFloat32(scratch + 4, true);
    const type = call.FPDFPathSegment_GetType(segment);
    points.add(
      matrix.a * x + matrix.c * y + matrix.e,
      matrix.b * x + matrix.d * y + matrix.f,
      type === SEGMENT_MOVE_TO ? "start" : type === SEGMENT_LINE_TO ? "line" : "curve",
    );
    if (closed && call.FPDFPathSegment_GetClose(segment) !== 0) points.close();
  }
}

/** Counts curved and slanted pieces; 0 for a box with rounded corners. */
function freePieces({ x, y, curved, starts, length }: PathPoints): number {
  let [curves, slanting, level] = [0, 0, 0];
  for (let at = 0; at < length; at += 1) {
    if (curved[at] === 1) curves += 1;
    else if (starts[at] === 1) continue;
    else if (isSlanting(x, y, at - 1, at)) slanting += 1;
    else level += 1;
  }
  const free = Math.ceil(curves / POINTS_PER_CURVE) + slanting;
  return free <= MAX_CORNER_PIECES && level > 1 ? 0 : free;
}

const isSlanting = (x: Float64Array, y: Float64Array, from: number, to: number): boolean =>
  Math.min(Math.abs((x[to] ?? 0) - (x[from] ?? 0)), Math.abs((y[to] ?? 0) - (y[from] ?? 0))) > MAX_SLANT_POINTS;

function addBox(collector: DrawingCollector, box: Box, shade: number): void {
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  if (height <= MAX_RULE_THICKNESS_POINTS && width >= Math.max(height, MIN_RULE_LENGTH_POINTS)) {
    collector.horizontal.push({ at: middleY(box), from: box.left, to: box.right, thickness: height });
  } else if (width <= MAX_RULE_THICKNESS_POINTS && height >= Math.max(width, MIN_RULE_LENGTH_POINTS)) {
    collector.vertical.push({ at: middleX(box), from: box.top, to: box.bottom });
  } else if (width >= MIN_FILL_SIDE_POINTS && height >= MIN_FILL_SIDE_POINTS) {
    collector.fills.push({ box, shade });
  }
}

/** Adds the level and upright pieces of a path, with the thickness of the stroke. */
function addStrokes(collector: DrawingCollector, from: number, to: number, width: number, shade: number): void {
  const { x, y, curved } = collector.points;
  for (let at = from + 1; at < to; at += 1) {
    if (curved[at] === 1) continue;
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [x[at - 1], y[at - 1], x[at], y[at]];
    const [dx, dy] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
    if (Math.min(dx, dy) > MAX_SLANT_POINTS || Math.max(dx, dy) < MIN_RULE_LENGTH_POINTS) continue;
    const [left, right, top, bottom] = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)];
    if (width > MAX_RULE_THICKNESS_POINTS) {
      const [across, along] = dx >= dy ? [0, width / 2] : [width / 2, 0];
      const box = { left: left - across, right: right + across, top: top - along, bottom: bottom + along };
      addBox(collector, box, shade);
    } else if (dx >= dy) collector.horizontal.push({ at: (top + bottom) / 2, from: left, to: right, thickness: width });
    else collector.vertical.push({ at: (left + right) / 2, from: top, to: bottom });
  }
}

/** Tells whether a filled subpath is an upright box, possibly with rounded corners. */
function isUprightBox({ x, y, curved }: PathPoints, from: number, to: number, bounds: Box): boolean {
  const hasCurves = curved.subarray(from, to).includes(1);
  let straight = 0;
  for (let at = from; at < to; at += 1) {
    if (curved[at] === 1) continue;
    const before = at === from ? to - 1 : at - 1;
    if (!isSlanting(x, y, before, at)) {
      const [dx, dy] = [(x[at] ?? 0) - (x[before] ?? 0), (y[at] ?? 0) - (y[before] ?? 0)];
      straight += Math.max(Math.abs(dx), Math.abs(dy));
    } else if (!hasCurves) return false;
  }
  return straight >= MIN_STRAIGHT_SHARE * 2 * (bounds.right - bounds.left + bounds.bottom - bounds.top);
}

const grown = ({ left, top, right, bottom }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

/** Adds a white box that something darker lies under. */
function addBlank({ blanks, fills }: DrawingCollector, box: Box): void {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  if (Math.min(width, height) < MIN_FILL_SIDE_POINTS) return;
  for (let at = fills.length - 1; at >= Math.max(fills.length - MAX_FILLS_BELOW, 0); at -= 1) {
    const fill = fills[at];
    if (fill === undefined || !enclosesMiddle(fill.box, box)) continue;
    blanks.push(box);
    return;
  }
}

/** Tells whether a subpath is a circle or an oval of the size of a radio button. */
function isRound({ x, y, curved }: PathPoints, from: number, to: number, { left, top, right, bottom }: Box): boolean {
  const [width, height] = [right - left, bottom - top];
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter < MIN_ROUND_SIDE_POINTS || longer > MAX_ROUND_SIDE_POINTS || longer > MAX_ROUND_RATIO * shorter)
    return false;
  let count = 0;
  for (let at = from + 1; at < to; at += 1) {
    if (curved[at] === 1) count += 1;
    else if (Math.hypot((x[at] ?? 0) - (x[at - 1] ?? 0), (y[at] ?? 0) - (y[at - 1] ?? 0)) > MAX_SLANT_POINTS)
      return false;
  }
  return count >= POINTS_PER_CURVE * 2 && count <= POINTS_PER_CURVE * MAX_ROUND_CURVES;
}

function addPath(collector: DrawingCollector, path: number, outer: Matrix): void {
  const { page, scratch } = collector;
  const { call } = page.pdfium;
  const count = call.FPDFPath_CountSegments(path);
  if (count > MAX_PATH_SEGMENTS) collector.free += count;
  if (count < 2 || count > MAX_PATH_SEGMENTS) return;
  collector.segments += count;
  if (call.FPDFPath_GetDrawMode(path, scratch, scratch + 4) === 0) return;
  const filled = page.pdfium.view().getInt32(scratch, true) !== 0;
  const stroked = page.pdfium.view().getInt32(scratch + 4, true) !== 0;
  const fillShade = filled ? visibleShade(page.pdfium, scratch, path, "fill") : undefined;
  const strokeShade = stroked ? visibleShade(page.pdfium, scratch, path, "stroke") : undefined;
  const isWhite =
    filled &&
    fillShade === undefined &&
    (visibleShade(page.pdfium, scratch, path, "fill", ANY_SHADE) ?? 0) >= WHITE_SHADE;
  if (fillShade === undefined && strokeShade === undefined && !isWhite) return;
  const matrix = objectMatrix(collector.page.pdfium, collector.scratch, path, outer);
  const hasWidth = strokeShade !== undefined && call.FPDFPageObj_GetStrokeWidth(path, scratch) !== 0;
  const scale = Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c));
  const width = hasWidth ? page.pdfium.view().getFloat32(scratch, true) * scale : 0;
  readPoints(collector, { path, count, matrix, closed: strokeShade !== undefined });
  const { points } = collector;
  if (!isWhite || strokeShade !== undefined) collector.free += freePieces(points);
  const isPaper = fillShade === undefined || fillShade >= MIN_PAPER_SHADE;
  for (let from = 0, to = 0; from < points.length; from = to) {
    to = points.subpathEnd(from);
    if (strokeShade !== undefined) addStrokes(collector, from, to, width, strokeShade);
    const hasCorners = strokeShade !== undefined && points.curved.subarray(from, to).includes(1);
    const isRing = hasCorners && isPaper && points.curved[from + 1] === 1;
    if (fillShade === undefined && !isWhite && !hasCorners) continue;
    const bounds = points.bounds(from, to);
    if (hasCorners && isUprightBox(points, from, to, bounds)) collector.frames.push(bounds);
    if (isRing && isRound(points, from, to, bounds)) collector.rounds.push(grown(bounds, width / 2));
    if ((fillShade !== undefined || isWhite) && isUprightBox(points, from, to, bounds)) {
      if (fillShade === undefined) addBlank(collector, bounds);
      else addBox(collector, bounds, fillShade);
    }
  }
}

/** Kept from page to page, of which one is read at a time. */
const pathPoints = new PathPoints();

function readDrawing(page: PdfPage): PageDrawing {
  return withMemory(page.pdfium, SCRATCH_BYTES, (scratch) => {
    const collector: DrawingCollector = {
      page,
      scratch,
      segments: 0,
      horizontal: [],
      vertical: [],
      fills: [],
      blanks: [],
      rounds: [],
      frames: [],
      free: 0,
      points: pathPoints,
    };
    for (const { handle, type, scope } of objectsOf(page)) {
      if (collector.segments >= MAX_SEGMENTS) break;
      if (type === OBJECT_PATH) addPath(collector, handle, scope.matrix);
    }
    const { horizontal, vertical, fills, blanks, rounds, frames, free } = collector;
    return { horizontal, vertical, fills, blanks, rounds, frames, free };
  });
}

/**
 * The page's rules and filled boxes in points as shown, in content order. Reading stops at 50,000 objects or 100,000
 * segments.
 */
export const pageDrawing: (page: PdfPage) => PageDrawing = oncePerPage(readDrawing);

/** Rotates a drawing into the frame of text at an angle, in degrees clockwise; empty unless a quarter turn. */
export function rotateDrawing(drawing: Drawing, angle: number): Drawing {
  if (angle === 0) return drawing;
  const turned: { horizontal: Rule[]; vertical: Rule[]; fills: Fill[] } = { horizontal: [], vertical: [], fills: [] };
  if (angle % 90 !== 0) return turned;
  const fromBox = (box: Box, thickness: Pick<Rule, "thickness">): void => {
    const { left, top, right, bottom } = rotateBox(box, -angle);
    if (right - left >= bottom - top)
      turned.horizontal.push({ at: (top + bottom) / 2, from: left, to: right, ...thickness });
    else turned.vertical.push({ at: (left + right) / 2, from: top, to: bottom, ...thickness });
  };
  for (const { at, from, to, ...thickness } of drawing.horizontal)
    fromBox({ left: from, right: to, top: at, bottom: at }, thickness);
  for (const { at, from, to, ...thickness } of drawing.vertical)
    fromBox({ left: at, right: at, top: from, bottom: to }, thickness);
  for (const { box, shade } of drawing.fills) turned.fills.push({ box: rotateBox(box, -angle), shade });
  return turned;
}
