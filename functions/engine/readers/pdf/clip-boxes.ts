/** Clips of page objects (fpdf_edit.h), as the boxes around them. */

import type { Box } from "../../../ports/layout.ts";
import { intersection } from "../../layout/geometry.ts";
import { type Matrix, transformBox } from "./pdf-document.ts";
import type { Pdfium } from "./pdfium.ts";

/** Clips of more segments are outlines; the box around them is not looked for. */
const MAX_CLIP_SEGMENTS = 200;

export const isBox = ({ left, top, right, bottom }: Box): boolean =>
  [left, top, right, bottom].every(Number.isFinite) && right >= left && bottom >= top;

/**
 * What an object's clip leaves of a box, the same one where there is no clip: paths of a clip cut one after the other.
 * @param scratch 8 bytes
 * @param outer from the space that the object is drawn in to that of the box
 */
export function clippedBox(pdfium: Pdfium, scratch: number, object: number, outer: Matrix, box: Box): Box {
  const { call } = pdfium;
  const clip = call.FPDFPageObj_GetClipPath(object);
  const count = clip === 0 ? 0 : call.FPDFClipPath_CountPaths(clip);
  let left = box;
  for (let path = 0; path < Math.min(count, MAX_CLIP_SEGMENTS); path += 1) {
    const segments = call.FPDFClipPath_CountPathSegments(clip, path);
    if (segments < 3 || segments > MAX_CLIP_SEGMENTS) continue;
    let [least, low, most, high] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let index = 0; index < segments; index += 1) {
      const segment = call.FPDFClipPath_GetPathSegment(clip, path, index);
      if (call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4) === 0) continue;
      const view = pdfium.view();
      const [x, y] = [view.getFloat32(scratch, true), view.getFloat32(scratch + 4, true)];
      [least, low, most, high] = [Math.min(least, x), Math.min(low, y), Math.max(most, x), Math.max(high, y)];
    }
    if (least <= most) left = intersection(left, transformBox(outer, least, low, most, high));
  }
  return left;
}
