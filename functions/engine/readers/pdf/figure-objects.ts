/**
 * The pictures and drawn shapes of a page, from pdfium's page objects (fpdf_edit.h), forms within forms included; in
 * points from the top left corner of the page as shown. What is white, transparent or clipped away is left out.
 */

import { createHash } from "node:crypto";
import type { Box } from "../../../ports/layout.ts";
import { intersection } from "../../layout/geometry.ts";
import { clippedBox, isBox } from "./clip-boxes.ts";
import { objectMatrix } from "./object-matrix.ts";
import { IMAGE, objectsOf, PATH, type PlacedObject, pathOf, TEXT } from "./page-objects.ts";
import { readShape, type Shape } from "./path-shapes.ts";
import { type Matrix, oncePerPage, type PdfPage, transformBox } from "./pdf-document.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";

const MAX_SEGMENTS = 200_000;
const MAX_IMAGES = 5_000;
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
  /** Bytes, as stored. */
  size: number;
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

/** Bytes that a picture takes in the file. */
export const rawSize = ({ call }: Pdfium, image: number): number => call.FPDFImageObj_GetImageDataRaw(image, 0, 0);

const readKey = (pdfium: Pdfium, image: number, size: number, pixels: string): string =>
  withMemory(pdfium, size, (buffer) => {
    pdfium.call.FPDFImageObj_GetImageDataRaw(image, buffer, size);
    const hash = createHash("sha1").update(pdfium.bytes().subarray(buffer, buffer + size));
    return `${pixels} ${hash.digest("hex")}`;
  });

const keysOf = oncePerPage(() => new Map<number, string>());

/** A picture's own bytes, whatever draws it: the same on every page that shows it. @param size from rawSize */
export function imageKey(page: PdfPage, image: number, size: number, pixels: string): string {
  const keys = keysOf(page);
  const key = keys.get(image) ?? (size === 0 ? pixels : readKey(page.pdfium, image, size, pixels));
  keys.set(image, key);
  return key;
}

function addImage(walk: Walk, image: PlacedObject): void {
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
  const size = rawSize(page.pdfium, object);
  const key = imageKey(page, object, size, `${width}x${height}`);
  found.images.push({ path: pathOf(image), whole, box, matrix, width, height, size, key });
}

function addShape(walk: Walk, object: number, outer: Matrix): void {
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

function look(walk: Walk, object: PlacedObject): void {
  const { handle, type, scope } = object;
  if (type === IMAGE) addImage(walk, object);
  else if (type === PATH) addShape(walk, handle, scope.matrix);
  else if (type === TEXT) {
    const box = boundsOf(walk, handle, scope.matrix);
    if (box !== undefined && isBox(box)) walk.found.texts.push(box);
  }
}

/** All pictures, shapes and runs of text of a page, in content order; of 50,000 objects and more the first ones. */
export function pageObjects(page: PdfPage): PageObjects {
  const { width, height } = page;
  return withMemory(page.pdfium, SCRATCH_BYTES, (scratch) => {
    const found: PageObjects = { width, height, images: [], shapes: [], texts: [] };
    const walk: Walk = { page, scratch, segments: 0, found };
    for (const object of objectsOf(page)) {
      if (walk.segments >= MAX_SEGMENTS) break;
      look(walk, object);
    }
    return found;
  });
}
