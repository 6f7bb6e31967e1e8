/** Small gray pictures that tests draw pixel by pixel. */
import type { GrayImage } from "../../functions/engine/imaging/gray-image.ts";

export function paper(width: number, height: number, value = 255): GrayImage {
  return { width, height, pixels: new Uint8Array(width * height).fill(value) };
}

/** Fills [left, right) × [top, bottom). */
export function fill(gray: GrayImage, left: number, top: number, right: number, bottom: number, value = 0): void {
  for (let y = top; y < bottom; y += 1) gray.pixels.fill(value, y * gray.width + left, y * gray.width + right);
}

export const at = ({ width, pixels }: GrayImage, x: number, y: number): number => pixels[y * width + x] ?? -1;

/** Pixels below 128 in [left, right) × [top, bottom). */
export function inkIn(gray: GrayImage, left: number, top: number, right: number, bottom: number): number {
  let count = 0;
  for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) if (at(gray, x, y) < 128) count += 1;
  return count;
}

/** The same noise every time, -amount to amount. */
export function addNoise(gray: GrayImage, amount: number): void {
  let state = 7;
  for (let index = 0; index < gray.pixels.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const noise = (state / 2 ** 31 - 1) * amount;
    gray.pixels[index] = Math.min(Math.max((gray.pixels[index] ?? 0) + noise, 0), 255);
  }
}
