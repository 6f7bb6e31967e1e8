/** Affine transforms (PDF 32000-1, 8.3.3). */
import type { Box } from "../../../ports/layout.ts";

/** x' = a·x + c·y + e, y' = b·x + d·y + f */
export interface Matrix {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

const emptyBox = (): Box => ({ left: 0, top: 0, right: 0, bottom: 0 });

/** The upright box around a transformed box. @param into is filled and returned */
export function transformBox(
  { a, b, c, d, e, f }: Matrix,
  left: number,
  bottom: number,
  right: number,
  top: number,
  into: Box = emptyBox(),
): Box {
  into.left = Math.min(a * left, a * right) + Math.min(c * bottom, c * top) + e;
  into.right = Math.max(a * left, a * right) + Math.max(c * bottom, c * top) + e;
  into.top = Math.min(b * left, b * right) + Math.min(d * bottom, d * top) + f;
  into.bottom = Math.max(b * left, b * right) + Math.max(d * bottom, d * top) + f;
  return into;
}
