/** Symbols at their places on a page. */

import type { Box } from "../../../ports/layout.ts";
import type { Raster } from "../../imaging/raster.ts";
import { enclosesMiddle } from "../../layout/geometry.ts";
import type { FoundSymbol } from "./barcode-engine.ts";

export interface Placed {
  symbol: FoundSymbol;
  /** Inches from the top left corner of the page as shown. */
  bbox: Box;
}

/** Symbols in two dimensions; stripes found inside one are its own modules misread. */
export const MATRIX: ReadonlySet<string> = new Set(["QRCode", "DataMatrix", "Aztec", "PDF417", "MaxiCode"]);

const round = (inches: number): number => Math.round(inches * 1000) / 1000;

/** @param shown what of the page the picture shows, in inches */
export function place(symbol: FoundSymbol, raster: Raster, shown: Box): Placed {
  const x = (pixels: number): number => round(shown.left + (pixels * (shown.right - shown.left)) / raster.width);
  const y = (pixels: number): number => round(shown.top + (pixels * (shown.bottom - shown.top)) / raster.height);
  const { left, top, right, bottom } = symbol.box;
  return { symbol, bbox: { left: x(left), top: y(top), right: x(right), bottom: y(bottom) } };
}

/** Top to bottom, left to right, then by what they say: the same order every time. */
const inOrder = (a: Placed, b: Placed): number =>
  a.bbox.top - b.bbox.top ||
  a.bbox.left - b.bbox.left ||
  (a.symbol.format < b.symbol.format ? -1 : a.symbol.format > b.symbol.format ? 1 : 0) ||
  (a.symbol.text < b.symbol.text ? -1 : a.symbol.text > b.symbol.text ? 1 : 0);

/** Each statement of a page once, where it stands first; misread pieces of matrix symbols are left out. */
export function merge(found: readonly Placed[]): Placed[] {
  const matrices = found.filter(({ symbol }) => MATRIX.has(symbol.symbology));
  const kept = new Map<string, Placed>();
  for (const one of [...found].sort(inOrder)) {
    const { symbology, text } = one.symbol;
    const piece = !MATRIX.has(symbology) && matrices.some(({ bbox }) => enclosesMiddle(bbox, one.bbox));
    const key = `${symbology} ${text}`;
    if (!piece && !kept.has(key)) kept.set(key, one);
  }
  return [...kept.values()];
}
