/** Places of shapes on a slide (ECMA-376 part 1, 20.1.7), in inches from its top left corner. */
import type { Box } from "../../../../ports/layout.ts";
import { emuToInches } from "../drawings.ts";
import { childOf, type XmlElement } from "../xml-parts.ts";

/** Moves and scales shapes from a group onto the slide. */
export interface Transform {
  x: number;
  y: number;
  scaleX: number;
  scaleY: number;
}

export const IDENTITY_TRANSFORM: Transform = { x: 0, y: 0, scaleX: 1, scaleY: 1 };

interface ShapeExtent {
  left: number;
  top: number;
  width: number;
  height: number;
}

function readExtent(frame: XmlElement | undefined, offset: string, extent: string): ShapeExtent | undefined {
  const [off, ext] = [childOf(frame, offset)?.attributes, childOf(frame, extent)?.attributes];
  const [left, top] = [emuToInches(off?.x), emuToInches(off?.y)];
  const [width, height] = [emuToInches(ext?.cx), emuToInches(ext?.cy)];
  if (left === undefined || top === undefined || width === undefined || height === undefined) return undefined;
  return { left, top, width: Math.max(width, 0), height: Math.max(height, 0) };
}

/** The box of an `xfrm`; undefined when it states none. */
export function readFrame(frame: XmlElement | undefined, { x, y, scaleX, scaleY }: Transform): Box | undefined {
  const extent = readExtent(frame, "off", "ext");
  if (extent === undefined) return undefined;
  const left = x + extent.left * scaleX;
  const top = y + extent.top * scaleY;
  return { left, top, right: left + extent.width * scaleX, bottom: top + extent.height * scaleY };
}

/** The transform of the shapes in a group. */
export function groupTransform(frame: XmlElement | undefined, around: Transform): Transform {
  const [outside, inside] = [readFrame(frame, around), readExtent(frame, "chOff", "chExt")];
  if (outside === undefined || inside === undefined || inside.width === 0 || inside.height === 0) return around;
  const scaleX = (outside.right - outside.left) / inside.width;
  const scaleY = (outside.bottom - outside.top) / inside.height;
  return { x: outside.left - inside.left * scaleX, y: outside.top - inside.top * scaleY, scaleX, scaleY };
}
