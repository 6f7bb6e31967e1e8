/**
 * The pictures and drawn shapes of a page, from pdfium's page objects (fpdf_edit.h), forms within forms included; in
 * points from the top left corner of the page as shown. What is white, transparent or clipped away is left out.
 */
import { createHash } from "node:crypto";
import type { Box } from "../layout.ts";
import { objectMatrix } from "./matrix.ts";
import { withMemory } from "./pdfium.ts";
import { type Matrix, type PdfPage, transformBox } from "./reader.ts";
import { readShape, type Shape } from "./shapes.ts";

/** FPDF_PAGEOBJ_*, fpdf_edit.h. */
const TEXT = 1;
const PATH = 2;
const IMAGE = 3;
const FORM = 5;

const MAX_OBJECTS = 50_000;
const MAX_SEGMENTS = 200_000;
const MAX_IMAGES = 5_000;
const MAX_DEPTH = 8;
/** Clips of more segments are outlines; the box around them is not looked for. */
const MAX_CLIP_SEGMENTS = 200;
const SCRATCH_BYTES = 64;

/** A picture as it stands on the page. */
export interface PlacedImage {
  /** Positions of the object and of the forms around it, the page's first. */
  path: number[];
  /** All of it, and what the clip leaves. */
  whole: Box;
  box: Box;
  /** From the unit square, y upwards, to the page as shown. */
  matrix: Matrix;
  /** Pixels, as stored. */
  width: number;
  height: number;
  /** The same for the same picture. */
  key: string;
}

export interface PageObjects {
  /** Points, as shown. */
  width: number;
  height: number;
  images: PlacedImage[];
  shapes: Shape[];
  /** Boxes of runs of text. */
  texts: Box[];
}

interface Walk {
  page: PdfPage;
  scratch: number;
  objects: number;
  segments: number;
  found: PageObjects;
}

function boundsOf({ page: { pdfium }, scratch }: Walk, object: number, outer: Matrix): Box | undefined {
  if (pdfium.call.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0)
    return undefined;
  const view = pdfium.view();
  const [left = 0, bottom = 0, right = 0, top = 0] = [0, 4, 8, 12].map((at) => view.getFloat32(scratch + at, true));
  return transformBox(outer, left, bottom, right, top);
}

const isBox = ({ left, top, right, bottom }: Box): boolean =>
  [left, top, right, bottom].every(Number.isFinite) && right >= left && bottom >= top;

const intersect = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
});

/** What an object's clip leaves of a box: paths of a clip cut one after the other. */
function clipped({ page: { pdfium }, scratch }: Walk, object: number, outer: Matrix, box: Box): Box {
  const { call } = pdfium;
  const clip = call.FPDFPageObj_GetClipPath(object);
  const count = clip === 0 ? 0 : call.FPDFClipPath_CountPaths(clip);
  let left = box;
  for (let path = 0; path < Math.min(count, MAX_CLIP_SEGMENTS); path += 1) {
    const segments = call.FPDFClipPath_CountPathSegments(clip, path);
    if (segments < 3 || segments > MAX_CLIP_SEGMENTS) continue;
    const xs: number[] = [];
    const ys: number[] = [];
    for (let index = 0; index < segments; index += 1) {
      const segment = call.FPDFClipPath_GetPathSegment(clip, path, index);
      if (call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4) === 0) continue;
      xs.push(pdfium.view().getFloat32(scratch, true));
      ys.push(pdfium.view().getFloat32(scratch + 4, true));
    }
    if (xs.length === 0) continue;
    left = intersect(left, transformBox(outer, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)));
  }
  return left;
}

/** A picture's own bytes, whatever draws it: the same on every page that shows it. */
function imageKey({ page: { pdfium } }: Walk, image: number, width: number, height: number): string {
  const { call } = pdfium;
  const size = call.FPDFImageObj_GetImageDataRaw(image, 0, 0);
  if (size === 0) return `${width}x${height}`;
  return withMemory(pdfium, size, (buffer) => {
    call.FPDFImageObj_GetImageDataRaw(image, buffer, size);
    const hash = createHash("sha1").update(pdfium.bytes().subarray(buffer, buffer + size));
    return `${width}x${height} ${hash.digest("hex")}`;
  });
}

function addImage(walk: Walk, object: number, path: number[], outer: Matrix): void {
  const { page, scratch, found } = walk;
  if (found.images.length >= MAX_IMAGES) return;
  if (page.pdfium.call.FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4) === 0) return;
  const view = page.pdfium.view();
  const [width, height] = [view.getUint32(scratch, true), view.getUint32(scratch + 4, true)];
  const matrix = objectMatrix(walk.page.pdfium, walk.scratch, object, outer);
  const whole = transformBox(matrix, 0, 0, 1, 1);
  const onPage = intersect(whole, { left: 0, top: 0, right: page.width, bottom: page.height });
  const box = clipped(walk, object, outer, onPage);
  if (width === 0 || height === 0 || !isBox(whole) || !isBox(box)) return;
  found.images.push({ path, whole, box, matrix, width, height, key: imageKey(walk, object, width, height) });
}

function addShape(walk: Walk, object: number, outer: Matrix): void {
  const { page, scratch, found } = walk;
  const bounds = boundsOf(walk, object, outer);
  if (bounds === undefined) return;
  const shape = readShape(page.pdfium, scratch, object, objectMatrix(walk.page.pdfium, walk.scratch, object, outer));
  walk.segments += shape?.segments ?? 0;
  if (shape === undefined) return;
  const onPage = intersect(bounds, { left: 0, top: 0, right: page.width, bottom: page.height });
  const box = clipped(walk, object, outer, onPage);
  if (isBox(box)) found.shapes.push({ ...shape, box });
}

const isSpent = ({ objects, segments }: Walk): boolean => objects >= MAX_OBJECTS || segments >= MAX_SEGMENTS;

function look(walk: Walk, object: number, path: number[], outer: Matrix): void {
  const { call } = walk.page.pdfium;
  walk.objects += 1;
  const type = object === 0 ? 0 : call.FPDFPageObj_GetType(object);
  if (type === IMAGE) addImage(walk, object, path, outer);
  else if (type === PATH) addShape(walk, object, outer);
  else if (type === TEXT) {
    const box = boundsOf(walk, object, outer);
    if (box !== undefined && isBox(box)) walk.found.texts.push(box);
  }
  if (type !== FORM || path.length > MAX_DEPTH) return;
  const matrix = objectMatrix(walk.page.pdfium, walk.scratch, object, outer);
  const count = call.FPDFFormObj_CountObjects(object);
  for (let index = 0; index < count && !isSpent(walk); index += 1)
    look(walk, call.FPDFFormObj_GetObject(object, index), [...path, index], matrix);
}

/** All pictures, shapes and runs of text of a page, in content order; of 50,000 objects and more the first ones. */
export function pageObjects(page: PdfPage): PageObjects {
  const { call } = page.pdfium;
  const { width, height } = page;
  return withMemory(page.pdfium, SCRATCH_BYTES, (scratch) => {
    const found: PageObjects = { width, height, images: [], shapes: [], texts: [] };
    const walk: Walk = { page, scratch, objects: 0, segments: 0, found };
    const count = call.FPDFPage_CountObjects(page.handle);
    for (let index = 0; index < count && !isSpent(walk); index += 1)
      look(walk, call.FPDFPage_GetObject(page.handle, index), [index], page.toShown);
    return found;
  });
}
