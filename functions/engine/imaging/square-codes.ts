/**
 * Squares of QR codes: each has a frame with a black square in it at three of its corners, which looks like a ticked box.
 * Source: ISO/IEC 18004, 6.3.3: a finder pattern is 7 modules wide, its black middle 3.
 */
import type { Box } from "../../ports/layout.ts";
import type { DrawnSquare } from "../../ports/ocr.ts";
import { containsMiddle, unionBox } from "../layout/geometry.ts";
import { type GrayImage, WHITE } from "./gray-image.ts";

const FINDER_MODULES = 7;
/** Side of the smallest code, of 21 modules, in sides of its finder patterns. */
const MIN_SYMBOL_SIDES = 21 / FINDER_MODULES;
/** Share of a code's area that is ink: masks keep it near a half. Three ticked boxes of a list have paper between them. */
const MIN_SYMBOL_INK = 0.25;

interface Picture {
  gray: GrayImage;
  /** Gray below which there is ink. */
  threshold: number;
}

/** @param step pixels from one looked at to the next, both ways */
function inkShare({ gray, threshold }: Picture, { left, top, right, bottom }: Box, step: number): number {
  let [ink, all] = [0, 0];
  for (let y = top; y < bottom; y += step)
    for (let x = left; x < right; x += step) {
      all += 1;
      if ((gray.pixels[y * gray.width + x] ?? WHITE) < threshold) ink += 1;
    }
  return ink / all;
}

/** The areas of level QR codes, of which three corners are squares with ink in them. */
function codesAt(squares: readonly DrawnSquare[], picture: Picture): Box[] {
  const marked = squares.filter(({ ink }) => ink > 0).map(({ box }) => box);
  return marked.flatMap((first) => {
    const side = first.right - first.left;
    const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= side / FINDER_MODULES;
    const others = marked.filter((box) => isNear(box.right - box.left, side) && isNear(box.bottom - box.top, side));
    // Of one code, no third corner stands between two on a level. Half a side is more than their places may be off.
    const [second] = others
      .filter(({ left, top }) => isNear(top, first.top) && left - first.left >= (MIN_SYMBOL_SIDES - 1.5) * side)
      .sort((a, b) => a.left - b.left);
    if (second === undefined) return [];
    const isThird = ({ left, top }: Box): boolean =>
      (isNear(left, first.left) || isNear(left, second.left)) &&
      isNear(Math.abs(top - first.top), second.left - first.left);
    const step = Math.max(1, Math.floor(side / FINDER_MODULES));
    const areas = others.filter(isThird).map((third) => unionBox([first, second, third]));
    return areas.filter((area) => inkShare(picture, area, step) >= MIN_SYMBOL_INK);
  });
}

/** The squares that are no part of a QR code, in pixels. */
export function squaresOutsideCodes(squares: readonly DrawnSquare[], picture: Picture): DrawnSquare[] {
  const codes = codesAt(squares, picture);
  return squares.filter(({ box }) => !codes.some((code) => containsMiddle(code, box)));
}
