/** Text that runs in other directions: its glyphs turned so that it runs to the right, and boxes turned back. */
import type { Box } from "../../../ports/layout.ts";
import type { Glyph, Point } from "./glyph.ts";

/** The text of one direction, turned to run to the right. */
export interface Frame {
  /** Whole degrees clockwise from "to the right", as shown. */
  angle: number;
  glyphs: readonly Glyph[];
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Exact for quarter turns. */
const cosine = (degrees: number): number => (degrees % 180 === 90 ? 0 : Math.cos(radians(degrees)));
const sine = (degrees: number): number => (degrees % 180 === 0 ? 0 : Math.sin(radians(degrees)));

const turnPoint = (x: number, y: number, degrees: number): Point => ({
  x: x * cosine(degrees) - y * sine(degrees),
  y: x * sine(degrees) + y * cosine(degrees),
});

/** The upright box around a box after a turn, clockwise about the page's top left corner. */
export function turnBox(box: Box, degrees: number): Box {
  if (degrees % 360 === 0) return box;
  const corners = [
    turnPoint(box.left, box.top, degrees),
    turnPoint(box.right, box.top, degrees),
    turnPoint(box.left, box.bottom, degrees),
    turnPoint(box.right, box.bottom, degrees),
  ];
  const x = corners.map((corner) => corner.x);
  const y = corners.map((corner) => corner.y);
  return { left: Math.min(...x), top: Math.min(...y), right: Math.max(...x), bottom: Math.max(...y) };
}

/**
 * The glyph's own box when the text runs aslant and only the upright box around it is known: the width `w` of that box
 * is advance·|cos| + height·|sin|, its height advance·|sin| + height·|cos|; the height of type is about 1.1 em.
 */
function slantedBox({ left, top, right: end, bottom, style }: Glyph, origin: Point): Box {
  const along = Math.abs(Math.cos(radians(style.angle)));
  const across = Math.abs(Math.sin(radians(style.angle)));
  const height = 1.1 * style.size;
  const advance = along >= across ? (end - left - height * across) / along : (bottom - top - height * along) / across;
  const right = origin.x + Math.max(advance, 0.2 * style.size);
  return { left: origin.x, right, top: origin.y - 0.85 * style.size, bottom: origin.y + 0.25 * style.size };
}

function turnGlyph(glyph: Glyph): Glyph {
  const { angle } = glyph.style;
  const origin = turnPoint(glyph.x, glyph.y, -angle);
  const box = angle % 90 === 0 ? turnBox(glyph.box, -angle) : slantedBox(glyph, origin);
  return glyph.moved(box, origin);
}

/** Glyphs by direction, upright text first, each in content order. */
export function splitFrames(glyphs: readonly Glyph[]): Frame[] {
  if (glyphs.length > 0 && glyphs.every(({ style }) => style.angle === 0)) return [{ angle: 0, glyphs }];
  const frames = new Map<number, Glyph[]>();
  let style: Glyph["style"] | undefined;
  let frame: Glyph[] = [];
  for (const glyph of glyphs) {
    if (glyph.style !== style) {
      style = glyph.style;
      const known = frames.get(style.angle);
      frame = known ?? [];
      if (known === undefined) frames.set(style.angle, frame);
    }
    frame.push(style.angle === 0 ? glyph : turnGlyph(glyph));
  }
  return [...frames].sort(([a], [b]) => a - b).map(([angle, own]) => ({ angle, glyphs: own }));
}
