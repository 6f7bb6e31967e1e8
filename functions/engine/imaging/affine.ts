/** Affine maps between pictures: (x, y) → (a·x + c·y + e, b·x + d·y + f). */

import type { Box } from "../../ports/layout.ts";
import { pointsBox } from "../layout/geometry.ts";
import { type GrayImage, WHITE } from "./gray-image.ts";

export interface AffineMap {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

export const scaling = (x: number, y: number): AffineMap => ({ a: x, b: 0, c: 0, d: y, e: 0, f: 0 });

/** Composes two maps: first `inner`, then `outer`. */
export const compose = (outer: AffineMap, inner: AffineMap): AffineMap => ({
  a: outer.a * inner.a + outer.c * inner.b,
  b: outer.b * inner.a + outer.d * inner.b,
  c: outer.a * inner.c + outer.c * inner.d,
  d: outer.b * inner.c + outer.d * inner.d,
  e: outer.a * inner.e + outer.c * inner.f + outer.e,
  f: outer.b * inner.e + outer.d * inner.f + outer.f,
});

/** The upright box around a mapped box. */
export function mapBox({ left, top, right, bottom }: Box, { a, b, c, d, e, f }: AffineMap): Box {
  const corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const;
  return pointsBox(corners.map(([x, y]) => ({ x: a * x + c * y + e, y: b * x + d * y + f })));
}

/** Map from a picture that is turned clockwise by quarters back to the original of `width` × `height`. */
export function fromQuarters(quarters: 0 | 1 | 2 | 3, width: number, height: number): AffineMap {
  if (quarters === 1) return { a: 0, b: -1, c: 1, d: 0, e: 0, f: height };
  if (quarters === 2) return { a: -1, b: 0, c: 0, d: -1, e: width, f: height };
  if (quarters === 3) return { a: 0, b: 1, c: -1, d: 0, e: width, f: 0 };
  return scaling(1, 1);
}

/**
 * Levels a picture whose text is turned by `angle`: the map from the level picture back to it, and the size that holds
 * all of the level picture.
 * @param angle degrees clockwise
 * @param scale of the level picture relative to the original
 */
export function levelling(
  { width, height }: GrayImage,
  angle: number,
  scale: number,
): { width: number; height: number; back: AffineMap } {
  const radians = (angle * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(radians), Math.cos(radians)];
  const across = Math.round((width * cosine + height * Math.abs(sine)) * scale);
  const down = Math.round((height * cosine + width * Math.abs(sine)) * scale);
  const [a, b, c, d] = [cosine / scale, sine / scale, -sine / scale, cosine / scale];
  const e = width / 2 - (a * across + c * down) / 2;
  const f = height / 2 - (b * across + d * down) / 2;
  return { width: across, height: down, back: { a, b, c, d, e, f } };
}

/**
 * Bits of a fixed-point fraction: steps are then exact to half a pixel in 30,000, and sides of up to 32,767 pixels fit
 * 32 bits.
 */
const FRACTION_BITS = 16;
const FIXED_POINT_ONE = 2 ** FRACTION_BITS;

/** Range of i, from 0 up to `most`, for which `start + i * step` lies within 0 to `limit`. */
function stepsInside(start: number, step: number, limit: number, most: number): [number, number] {
  if (step === 0) return start >= 0 && start <= limit ? [0, most] : [0, 0];
  const [a, b] = [-start / step, (limit - start) / step];
  return [Math.max(Math.ceil(Math.min(a, b)), 0), Math.min(Math.floor(Math.max(a, b)) + 1, most)];
}

/**
 * Resamples a part of a row. Whole numbers of 32 bits, no objects and a call for each row: this loop is most of the
 * work of levelling a page, and a function that runs once a picture is never compiled well.
 */
function resampleRow(
  { pixels: from, width: stride }: GrayImage,
  { pixels, first, end }: { pixels: Uint8Array; first: number; end: number },
  x: number,
  y: number,
  stepX: number,
  stepY: number,
): void {
  let fx = x | 0;
  let fy = y | 0;
  for (let at = first | 0; at < end; at = (at + 1) | 0) {
    const place = (Math.imul(fy >> FRACTION_BITS, stride) + (fx >> FRACTION_BITS)) | 0;
    const under = (place + stride) | 0;
    const right = (fx >> 8) & 255;
    const a = from[place] ?? 0;
    const c = from[under] ?? 0;
    const upper = (a << 8) + Math.imul((from[place + 1] ?? 0) - a, right);
    const lower = (c << 8) + Math.imul((from[under + 1] ?? 0) - c, right);
    pixels[at] = ((upper << 8) + Math.imul(lower - upper, (fy >> 8) & 255)) >> 16;
    fx = (fx + stepX) | 0;
    fy = (fy + stepY) | 0;
  }
}

/**
 * Resamples a picture through `back`, bilinear between the middles of pixels; white where there is no source.
 * @param back from the new picture's coordinates to the old one's
 */
export function resample(gray: GrayImage, width: number, height: number, back: AffineMap): GrayImage {
  const pixels = new Uint8Array(width * height).fill(WHITE);
  // The last row and column have no neighbour to mix with.
  const [lastX, lastY] = [(gray.width - 1) * FIXED_POINT_ONE - 1, (gray.height - 1) * FIXED_POINT_ONE - 1];
  const [stepX, stepY] = [Math.round(back.a * FIXED_POINT_ONE), Math.round(back.b * FIXED_POINT_ONE)];
  for (let y = 0; y < height; y += 1) {
    const startX = Math.round((back.a * 0.5 + back.c * (y + 0.5) + back.e - 0.5) * FIXED_POINT_ONE);
    const startY = Math.round((back.b * 0.5 + back.d * (y + 0.5) + back.f - 0.5) * FIXED_POINT_ONE);
    const [leftX, rightX] = stepsInside(startX, stepX, lastX, width);
    const [leftY, rightY] = stepsInside(startY, stepY, lastY, width);
    const first = Math.max(leftX, leftY);
    const to = { pixels, first: y * width + first, end: y * width + Math.min(rightX, rightY) };
    resampleRow(gray, to, startX + first * stepX, startY + first * stepY, stepX, stepY);
  }
  return { width, height, pixels };
}
