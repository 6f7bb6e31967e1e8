/**
 * The straight lines and filled boxes that a page draws: the rules of its tables and forms, bands behind rows. From
 * pdfium's page objects (fpdf_edit.h), forms within forms included; in points from the top left corner of the page as
 * shown. Lines that are aslant, curves, and what is white or transparent are left out.
 */

import type { Box } from "../../../ports/layout.ts";
import { middleX, middleY, pointsBox } from "../../layout/geometry.ts";
import type { Drawing, Fill, Rule } from "../../structure/tables/table-parts.ts";
import { objectMatrix } from "./object-matrix.ts";
import { objectsOf, PATH } from "./page-objects.ts";
import { type Matrix, oncePerPage, type PdfPage } from "./pdf-document.ts";
import { withMemory } from "./pdfium.ts";
import { turnBox } from "./text-directions.ts";

/** FPDF_SEGMENT_*, fpdf_edit.h. */
const LINE_TO = 0;
const MOVE_TO = 2;

/** A drawing of a million strokes is a map or a plan; its first ones tell as much about tables as all of them. */
const MAX_SEGMENTS = 100_000;
/** A path with more segments is a drawing: a letter's outline, a curve, a map. */
const MAX_PATH_SEGMENTS = 2_000;
/** Points to a curve: two that direct it, and its end. */
const CURVE_POINTS = 3;
/** A path of some level lines with no more free pieces is a box with rounded corners. */
const MOST_CORNERS = 8;

/** All in points. A filled box no thicker is a line; a stroke that is thicker is a box. */
const THICKEST_RULE = 3;
/** Shorter lines are dots, dashes of marks, modules of a barcode; dots of one line are joined where they meet. */
const SHORTEST_RULE = 0.5;
/** A line leans no more than this over its length. */
const SLANT = 0.5;
const SMALLEST_FILL = 4;
/** A box with rounded corners is straight for so much of its edges. */
const STRAIGHT = 0.5;
/** Nearly white on white, nearly transparent. */
const WHITE = 0.985;
const TRANSPARENT = 8;

const SCRATCH_BYTES = 64;

interface Point {
  x: number;
  y: number;
  /** Of a curve, or one that directs it: what leads here is no straight line. */
  curved: boolean;
}

/** Points that follow each other by straight lines, or with curves between. */
interface Trace {
  points: Point[];
  curved: boolean;
}

interface Collector {
  page: PdfPage;
  scratch: number;
  segments: number;
  horizontal: Rule[];
  vertical: Rule[];
  fills: Fill[];
  free: number;
}

/** What is drawn on a page. */
export interface PageDrawing extends Drawing {
  /** Curved and slanting pieces, which no table is made of; about so many. */
  free: number;
}

/** How light the colour is, 0 to 1; undefined when nothing of it is seen. A pattern counts as grey. */
function visibleShade(
  { page: { pdfium }, scratch }: Collector,
  object: number,
  of: "fill" | "stroke",
): number | undefined {
  const { call } = pdfium;
  const ask = of === "fill" ? call.FPDFPageObj_GetFillColor : call.FPDFPageObj_GetStrokeColor;
  if (ask(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return 0.5;
  const view = pdfium.view();
  if (view.getUint32(scratch + 12, true) <= TRANSPARENT) return undefined;
  const [red, green, blue] = [view.getUint8(scratch), view.getUint8(scratch + 4), view.getUint8(scratch + 8)];
  // ITU-R BT.601, the luma of red, green and blue.
  const shade = (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
  return shade >= WHITE ? undefined : shade;
}

/** @param closed whether lines back to a trace's start matter: a fill has them anyway */
function readTraces(
  collector: Collector,
  { path, count, matrix, closed }: { path: number; count: number; matrix: Matrix; closed: boolean },
): Trace[] {
  const { page, scratch } = collector;
  const { call } = page.pdfium;
  const traces: Trace[] = [];
  let trace: Trace = { points: [], curved: false };
  for (let index = 0; index < count; index += 1) {
    const segment = call.FPDFPath_GetPathSegment(path, index);
    if (call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4) === 0) continue;
    const view = page.pdfium.view();
    const x = view.getFloat32(scratch, true);
    const y = view.getFloat32(scratch + 4, true);
    const type = call.FPDFPathSegment_GetType(segment);
    if (type === MOVE_TO) {
      trace = { points: [], curved: false };
      traces.push(trace);
    }
    const curved = type !== MOVE_TO && type !== LINE_TO;
    trace.curved ||= curved;
    trace.points.push({ x: matrix.a * x + matrix.c * y + matrix.e, y: matrix.b * x + matrix.d * y + matrix.f, curved });
    const [start] = trace.points;
    if (closed && start !== undefined && call.FPDFPathSegment_GetClose(segment) !== 0)
      trace.points.push({ ...start, curved: false });
  }
  return traces;
}

/** Pieces that are curved or aslant; none of a box with rounded corners. */
function freePieces(traces: readonly Trace[]): number {
  let [curved, slanting, level] = [0, 0, 0];
  for (const { points } of traces) {
    for (const [index, to] of points.entries()) {
      const from = points[index - 1];
      if (to.curved) curved += 1;
      else if (from === undefined) continue;
      else if (Math.min(Math.abs(to.x - from.x), Math.abs(to.y - from.y)) > SLANT) slanting += 1;
      else level += 1;
    }
  }
  const free = Math.ceil(curved / CURVE_POINTS) + slanting;
  return free <= MOST_CORNERS && level > 1 ? 0 : free;
}

function addBox(collector: Collector, box: Box, shade: number): void {
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  if (height <= THICKEST_RULE && width >= Math.max(height, SHORTEST_RULE)) {
    collector.horizontal.push({ at: middleY(box), from: box.left, to: box.right });
  } else if (width <= THICKEST_RULE && height >= Math.max(width, SHORTEST_RULE)) {
    collector.vertical.push({ at: middleX(box), from: box.top, to: box.bottom });
  } else if (width >= SMALLEST_FILL && height >= SMALLEST_FILL) {
    collector.fills.push({ box, shade });
  }
}

/** The straight pieces of a trace that run level or upright, as thick as the stroke. */
function addStrokes(collector: Collector, { points }: Trace, width: number, shade: number): void {
  for (const [index, to] of points.entries()) {
    const from = points[index - 1];
    if (from === undefined || to.curved) continue;
    const [dx, dy] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
    if (Math.min(dx, dy) > SLANT || Math.max(dx, dy) < SHORTEST_RULE) continue;
    const { left, top, right, bottom } = pointsBox([from, to]);
    if (width > THICKEST_RULE) {
      const [across, along] = dx >= dy ? [0, width / 2] : [width / 2, 0];
      addBox(
        collector,
        { left: left - across, right: right + across, top: top - along, bottom: bottom + along },
        shade,
      );
    } else if (dx >= dy) collector.horizontal.push({ at: (top + bottom) / 2, from: left, to: right });
    else collector.vertical.push({ at: (left + right) / 2, from: top, to: bottom });
  }
}

/** Whether a filled trace is an upright box, perhaps with rounded corners. */
function isBox({ points, curved }: Trace, bounds: Box): boolean {
  let straight = 0;
  for (const [index, to] of points.entries()) {
    const from = points[index - 1] ?? points.at(-1) ?? to;
    if (to.curved) continue;
    const [dx, dy] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
    if (Math.min(dx, dy) <= SLANT) straight += Math.max(dx, dy);
    else if (!curved) return false;
  }
  return straight >= STRAIGHT * 2 * (bounds.right - bounds.left + bounds.bottom - bounds.top);
}

function addPath(collector: Collector, path: number, outer: Matrix): void {
  const { page, scratch } = collector;
  const { call } = page.pdfium;
  const count = call.FPDFPath_CountSegments(path);
  if (count > MAX_PATH_SEGMENTS) collector.free += count;
  if (count < 2 || count > MAX_PATH_SEGMENTS) return;
  collector.segments += count;
  if (call.FPDFPath_GetDrawMode(path, scratch, scratch + 4) === 0) return;
  const filled = page.pdfium.view().getInt32(scratch, true) !== 0;
  const stroked = page.pdfium.view().getInt32(scratch + 4, true) !== 0;
  const fillShade = filled ? visibleShade(collector, path, "fill") : undefined;
  const strokeShade = stroked ? visibleShade(collector, path, "stroke") : undefined;
  if (fillShade === undefined && strokeShade === undefined) return;
  const matrix = objectMatrix(collector.page.pdfium, collector.scratch, path, outer);
  const hasWidth = strokeShade !== undefined && call.FPDFPageObj_GetStrokeWidth(path, scratch) !== 0;
  const scale = Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c));
  const width = hasWidth ? page.pdfium.view().getFloat32(scratch, true) * scale : 0;
  const traces = readTraces(collector, { path, count, matrix, closed: strokeShade !== undefined });
  collector.free += freePieces(traces);
  for (const trace of traces) {
    if (strokeShade !== undefined) addStrokes(collector, trace, width, strokeShade);
    const bounds = pointsBox(trace.points);
    if (fillShade !== undefined && isBox(trace, bounds)) addBox(collector, bounds, fillShade);
  }
}

function readDrawing(page: PdfPage): PageDrawing {
  return withMemory(page.pdfium, SCRATCH_BYTES, (scratch) => {
    const collector: Collector = { page, scratch, segments: 0, horizontal: [], vertical: [], fills: [], free: 0 };
    for (const { handle, type, scope } of objectsOf(page)) {
      if (collector.segments >= MAX_SEGMENTS) break;
      if (type === PATH) addPath(collector, handle, scope.matrix);
    }
    return collector;
  });
}

/**
 * The page's rules and filled boxes in points as shown, in content order. A page that draws more than 50,000 objects or
 * 100,000 segments is read up to there.
 */
export const pageDrawing: (page: PdfPage) => PageDrawing = oncePerPage(readDrawing);

/** A drawing as seen by text that runs at an angle, in degrees clockwise: of quarter turns, else there is none. */
export function turnDrawing(drawing: Drawing, angle: number): Drawing {
  if (angle === 0) return drawing;
  const turned: { horizontal: Rule[]; vertical: Rule[]; fills: Fill[] } = { horizontal: [], vertical: [], fills: [] };
  if (angle % 90 !== 0) return turned;
  const fromBox = (box: Box): void => {
    const { left, top, right, bottom } = turnBox(box, -angle);
    if (right - left >= bottom - top) turned.horizontal.push({ at: (top + bottom) / 2, from: left, to: right });
    else turned.vertical.push({ at: (left + right) / 2, from: top, to: bottom });
  };
  for (const { at, from, to } of drawing.horizontal) fromBox({ left: from, right: to, top: at, bottom: at });
  for (const { at, from, to } of drawing.vertical) fromBox({ left: at, right: at, top: from, bottom: to });
  for (const { box, shade } of drawing.fills) turned.fills.push({ box: turnBox(box, -angle), shade });
  return turned;
}
