/** Text in other directions: glyphs rotated so that the text runs to the right, and boxes rotated back. */
import type { Box } from "../../../ports/layout.ts";
import type { Glyph, Point } from "./glyph.ts";

/** The text of one direction, rotated to run to the right. */
export interface TextDirection {
  /** Whole degrees clockwise from "to the right", as shown. */
  angle: number;
  glyphs: readonly Glyph[];
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Exact for quarter turns. */
const cosine = (degrees: number): number => (degrees % 180 === 90 ? 0 : Math.cos(radians(degrees)));
const sine = (degrees: number): number => (degrees % 180 === 0 ? 0 : Math.sin(radians(degrees)));

const rotatePoint = (x: number, y: number, degrees: number): Point => ({
  x: x * cosine(degrees) - y * sine(degrees),
  y: x * sine(degrees) + y * cosine(degrees),
});

/** The upright box around a box rotated clockwise about the page's top left corner. */
export function rotateBox(box: Box, degrees: number): Box {
  if (degrees % 360 === 0) return box;
  const corners = [
    rotatePoint(box.left, box.top, degrees),
    rotatePoint(box.right, box.top, degrees),
    rotatePoint(box.left, box.bottom, degrees),
    rotatePoint(box.right, box.bottom, degrees),
  ];
  const x = corners.map((corner) => corner.x);
  const y = corners.map((corner) => corner.y);
  return { left: Math.min(...x), top: Math.min(...y), right: Math.max(...x), bottom: Math.max(...y) };
}

/**
 * The glyph's own box for slanted text, of which only the upright box around it is known: the width of that box is
 * advance·|cos| + height·|sin|, its height advance·|sin| + height·|cos|; the height of type is about 1.1 em.
 */
function slantedBox({ left, top, right: end, bottom, style }: Glyph, origin: Point): Box {
  const along = Math.abs(Math.cos(radians(style.angle)));
  const across = Math.abs(Math.sin(radians(style.angle)));
  const height = 1.1 * style.size;
  const advance = along >= across ? (end - left - height * across) / along : (bottom - top - height * along) / across;
  const right = origin.x + Math.max(advance, 0.2 * style.size);
  return { left: origin.x, right, top: origin.y - 0.85 * style.size, bottom: origin.y + 0.25 * style.size };
}

function rotateGlyph(glyph: Glyph): Glyph {
  const { angle } = glyph.style;
  const origin = rotatePoint(glyph.x, glyph.y, -angle);
  const box = angle % 90 === 0 ? rotateBox(glyph.box, -angle) : slantedBox(glyph, origin);
  return glyph.moved(box, origin);
}

/** Groups glyphs by direction, upright text first, each in content order. */
export function splitByDirection(glyphs: readonly Glyph[]): TextDirection[] {
  if (glyphs.length > 0 && glyphs.every(({ style }) => style.angle === 0)) return [{ angle: 0, glyphs }];
  const frames = new Map<number, Glyph[]>();
  let style: Glyph["style"] | undefined;
  let group: Glyph[] = [];
  for (const glyph of glyphs) {
    if (glyph.style !== style) {
      style = glyph.style;
      const known = frames.get(style.angle);
      group = known ?? [];
      if (known === undefined) frames.set(style.angle, group);
    }
    group.push(style.angle === 0 ? glyph : rotateGlyph(glyph));
  }
  return [...frames].sort(([a], [b]) => a - b).map(([angle, own]) => ({ angle, glyphs: own }));
}
