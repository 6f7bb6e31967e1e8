/** Gray pictures in memory: rows from the top, one byte a pixel, 0 black to 255 white. */
import type { Box } from "../../ports/layout.ts";

export interface GrayImage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

export const WHITE = 255;

/** Histogram of the 256 gray values of every `step`-th pixel. */
export function histogramOf({ pixels }: GrayImage, step = 1): Uint32Array {
  const counts = new Uint32Array(256);
  for (let at = 0; at < pixels.length; at += step) {
    const value = pixels[at] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

/** Copies the pixels of a box; its edges are whole numbers within the picture, `right` and `bottom` behind the last. */
export function cutBox({ width, pixels }: GrayImage, { left, top, right, bottom }: Box): GrayImage {
  const cut = new Uint8Array((right - left) * (bottom - top));
  for (let y = top, to = 0; y < bottom; y += 1, to += right - left) {
    cut.set(pixels.subarray(y * width + left, y * width + right), to);
  }
  return { width: right - left, height: bottom - top, pixels: cut };
}

/** Turns a picture clockwise by quarters. */
export function turnQuarters(gray: GrayImage, quarters: 0 | 1 | 2 | 3): GrayImage {
  const { width, height, pixels } = gray;
  if (quarters === 0) return gray;
  const turned = new Uint8Array(pixels.length);
  if (quarters === 2) {
    for (let at = 0, to = pixels.length - 1; to >= 0; at += 1, to -= 1) turned[to] = pixels[at] ?? 0;
    return { width, height, pixels: turned };
  }
  const [first, step, row] = quarters === 1 ? [height - 1, height, -1] : [(width - 1) * height, -height, 1];
  for (let y = 0, at = 0; y < height; y += 1) {
    let to = first + y * row;
    for (let x = 0; x < width; x += 1, at += 1, to += step) turned[to] = pixels[at] ?? 0;
  }
  return { width: height, height: width, pixels: turned };
}

/** Shrinks a picture to the mean of each square of `by` × `by` pixels, `by` up to 256. */
export function shrink({ width, height, pixels }: GrayImage, by: number): GrayImage {
  const [across, down] = [Math.floor(width / by), Math.floor(height / by)];
  const small = new Uint8Array(across * down);
  const sums = new Uint16Array(across * by);
  for (let y = 0, to = 0; y < down; y += 1) {
    sums.fill(0);
    for (let row = y * by; row < (y + 1) * by; row += 1) {
      for (let x = 0, at = row * width; x < sums.length; x += 1, at += 1) sums[x] = (sums[x] ?? 0) + (pixels[at] ?? 0);
    }
    for (let x = 0; x < sums.length; to += 1) {
      let sum = 0;
      for (const end = x + by; x < end; x += 1) sum += sums[x] ?? 0;
      small[to] = sum / (by * by);
    }
  }
  return { width: across, height: down, pixels: small };
}
