/**
 * Pictures and drawn shapes of a page, from pdfium's page objects (fpdf_edit.h), including nested forms; in points from
 * the top left corner of the page as shown. White, transparent and clipped objects are left out.
 */

import { createHash } from "node:crypto";
import type { Box } from "../../../ports/layout.ts";
import { intersection } from "../../layout/geometry.ts";
import { clippedBox, isBox } from "./clip-boxes.ts";
import { type Matrix, transformBox } from "./matrix.ts";
import { objectMatrix } from "./object-matrix.ts";
import { OBJECT_IMAGE, OBJECT_PATH, OBJECT_TEXT, objectPath, objectsOf, type PlacedObject } from "./page-objects.ts";
import { type PathShape, readShape } from "./path-shapes.ts";
import { oncePerPage, type PdfPage } from "./pdf-page.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";

const MAX_SEGMENTS = 200_000;
const MAX_IMAGES = 5_000;
const SCRATCH_BYTES = 64;

/** A picture at its place on the page. */
export interface PlacedImage {
  /** Indices of the enclosing forms, the outermost first, and of the object. */
  path: number[];
  /** The whole picture, and the part within the clip. */
  whole: Box;
  box: Box;
  /** From the unit square, y upwards, to the page as shown. */
  matrix: Matrix;
  /** Pixels, as stored. */
  width: number;
  height: number;
  /** Bytes, as stored. */
  size: number;
  /** The same key for the same picture. */
  key: string;
}

export interface FigureObjects {
  /** Points, as shown. */
  width: number;
  height: number;
  images: PlacedImage[];
  shapes: PathShape[];
  /** Boxes of text objects. */
  texts: Box[];
}

interface ObjectWalk {
  page: PdfPage;
  scratch: number;
  segments: number;
  found: FigureObjects;
}

function boundsOf({ page: { pdfium }, scratch }: ObjectWalk, object: number, outer: Matrix): Box | undefined {
  if (pdfium.call.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0)
    return undefined;
  const view = pdfium.view();
  const [left = 0, bottom = 0, right = 0, top = 0] = [0, 4, 8, 12].map((at) => view.getFloat32(scratch + at, true));
  return transformBox(outer, left, bottom, right, top);
}

/** Bytes of a picture in the file. */
export const storedBytes = ({ call }: Pdfium, image: number): number => call.FPDFImageObj_GetImageDataRaw(image, 0, 0);

const hashKey = (pdfium: Pdfium, image: number, size: number, pixels: string): string =>
  withMemory(pdfium, size, (buffer) => {
    pdfium.call.FPDFImageObj_GetImageDataRaw(image, buffer, size);
    const hash = createHash("sha1").update(pdfium.bytes().subarray(buffer, buffer + size));
    return `${pixels} ${hash.digest("hex")}`;
  });

const pageImageKeys = oncePerPage(() => new Map<number, string>());

/** Key of a picture by its own bytes, the same on every page that shows it. @param size from `storedBytes` */
export function imageKey(page: PdfPage, image: number, size: number, pixels: string): string {
  const keys = pageImageKeys(page);
  const key = keys.get(image) ?? (size === 0 ? pixels : hashKey(page.pdfium, image, size, pixels));
  keys.set(image, key);
  return key;
}

function addImage(walk: ObjectWalk, image: PlacedObject): void {
  const { page, scratch, found } = walk;
  const { handle: object, scope } = image;
  const outer = scope.matrix;
  if (found.images.length >= MAX_IMAGES) return;
  if (page.pdfium.call.FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4) === 0) return;
  const view = page.pdfium.view();
  const [width, height] = [view.getUint32(scratch, true), view.getUint32(scratch + 4, true)];
  const matrix = objectMatrix(walk.page.pdfium, walk.scratch, object, outer);
  const whole = transformBox(matrix, 0, 0, 1, 1);
  const onPage = intersection(whole, { left: 0, top: 0, right: page.width, bottom: page.height });
  const box = clippedBox(page.pdfium, walk.scratch, object, outer, onPage);
  if (width === 0 || height === 0 || !isBox(whole) || !isBox(box)) return;
  const size = storedBytes(page.pdfium, object);
  const key = imageKey(page, object, size, `${width}x${height}`);
  found.images.push({ path: objectPath(image), whole, box, matrix, width, height, size, key });
}

function addShape(walk: ObjectWalk, object: number, outer: Matrix): void {
  const { page, scratch, found } = walk;
  const bounds = boundsOf(walk, object, outer);
  if (bounds === undefined) return;
  const shape = readShape(page.pdfium, scratch, object, objectMatrix(walk.page.pdfium, walk.scratch, object, outer));
  walk.segments += shape?.segments ?? 0;
  if (shape === undefined) return;
  const onPage = intersection(bounds, { left: 0, top: 0, right: page.width, bottom: page.height });
  const box = clippedBox(page.pdfium, walk.scratch, object, outer, onPage);
  if (isBox(box)) found.shapes.push({ ...shape, box });
}

function addObject(walk: ObjectWalk, object: PlacedObject): void {
  const { handle, type, scope } = object;
  if (type === OBJECT_IMAGE) addImage(walk, object);
  else if (type === OBJECT_PATH) addShape(walk, handle, scope.matrix);
  else if (type === OBJECT_TEXT) {
    const box = boundsOf(walk, handle, scope.matrix);
    if (box !== undefined && isBox(box)) walk.found.texts.push(box);
  }
}

/** All pictures, shapes and text boxes of a page, in content order; the first 50,000 objects at most. */
export function figureObjects(page: PdfPage): FigureObjects {
  const { width, height } = page;
  return withMemory(page.pdfium, SCRATCH_BYTES, (scratch) => {
    const found: FigureObjects = { width, height, images: [], shapes: [], texts: [] };
    const walk: ObjectWalk = { page, scratch, segments: 0, found };
    for (const object of objectsOf(page)) {
      if (walk.segments >= MAX_SEGMENTS) break;
      addObject(walk, object);
    }
    return found;
  });
}
