/** Clips of page objects (fpdf_edit.h), as their bounding boxes. */

import type { Box } from "../../../ports/layout.ts";
import { intersection } from "../../layout/geometry.ts";
import { type Matrix, transformBox } from "./matrix.ts";
import type { Pdfium } from "./pdfium.ts";

/** Clips of more segments are outlines and are ignored. */
const MAX_CLIP_SEGMENTS = 200;

export const isBox = ({ left, top, right, bottom }: Box): boolean =>
  [left, top, right, bottom].every(Number.isFinite) && right >= left && bottom >= top;

/**
 * Intersects a box with an object's clip; returns the same box when there is no clip. Each path of a clip cuts in turn.
 * @param scratch 8 bytes
 * @param outer from the object's space to the space of the box
 */
export function clippedBox(pdfium: Pdfium, scratch: number, object: number, outer: Matrix, box: Box): Box {
  const { call } = pdfium;
  const clip = call.FPDFPageObj_GetClipPath(object);
  const count = clip === 0 ? 0 : call.FPDFClipPath_CountPaths(clip);
  let clipped = box;
  for (let path = 0; path < Math.min(count, MAX_CLIP_SEGMENTS); path += 1) {
    const segments = call.FPDFClipPath_CountPathSegments(clip, path);
    if (segments < 3 || segments > MAX_CLIP_SEGMENTS) continue;
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let index = 0; index < segments; index += 1) {
      const segment = call.FPDFClipPath_GetPathSegment(clip, path, index);
      if (call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4) === 0) continue;
      const view = pdfium.view();
      const [x, y] = [view.getFloat32(scratch, true), view.getFloat32(scratch + 4, true)];
      [minX, minY, maxX, maxY] = [Math.min(minX, x), Math.min(minY, y), Math.max(maxX, x), Math.max(maxY, y)];
    }
    if (minX <= maxX) clipped = intersection(clipped, transformBox(outer, minX, minY, maxX, maxY));
  }
  return clipped;
}
