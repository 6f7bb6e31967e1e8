/** Symbols at their places on a page. */

import type { Box } from "../../../ports/layout.ts";
import type { Raster } from "../../imaging/raster.ts";
import { enclosesMiddle } from "../../layout/geometry.ts";
import type { FoundSymbol } from "./barcode-engine.ts";

export interface PlacedSymbol {
  symbol: FoundSymbol;
  /** Inches from the top left corner of the page as shown. */
  bbox: Box;
}

/** Two-dimensional symbologies. Stripes found inside such a symbol are its own modules misread. */
export const MATRIX_SYMBOLOGIES: ReadonlySet<string> = new Set(["QRCode", "DataMatrix", "Aztec", "PDF417", "MaxiCode"]);

const roundToThousandth = (inches: number): number => Math.round(inches * 1000) / 1000;

/** @param shown the shown part of the page, in inches */
export function placeSymbol(symbol: FoundSymbol, raster: Raster, shown: Box): PlacedSymbol {
  const x = (pixels: number): number =>
    roundToThousandth(shown.left + (pixels * (shown.right - shown.left)) / raster.width);
  const y = (pixels: number): number =>
    roundToThousandth(shown.top + (pixels * (shown.bottom - shown.top)) / raster.height);
  const { left, top, right, bottom } = symbol.box;
  return { symbol, bbox: { left: x(left), top: y(top), right: x(right), bottom: y(bottom) } };
}

/** Order from top to bottom, left to right, then by content, so that it is the same every time. */
const comparePlaced = (a: PlacedSymbol, b: PlacedSymbol): number =>
  a.bbox.top - b.bbox.top ||
  a.bbox.left - b.bbox.left ||
  (a.symbol.format < b.symbol.format ? -1 : a.symbol.format > b.symbol.format ? 1 : 0) ||
  (a.symbol.text < b.symbol.text ? -1 : a.symbol.text > b.symbol.text ? 1 : 0);

/** Keeps each text of a symbology once a page, at its first place, and drops misread pieces of matrix symbols. */
export function mergeSymbols(found: readonly PlacedSymbol[]): PlacedSymbol[] {
  const matrices = found.filter(({ symbol }) => MATRIX_SYMBOLOGIES.has(symbol.symbology));
  const kept = new Map<string, PlacedSymbol>();
  for (const one of [...found].sort(comparePlaced)) {
    const { symbology, text } = one.symbol;
    const isMisreadPiece =
      !MATRIX_SYMBOLOGIES.has(symbology) && matrices.some(({ bbox }) => enclosesMiddle(bbox, one.bbox));
    const key = `${symbology} ${text}`;
    if (!isMisreadPiece && !kept.has(key)) kept.set(key, one);
  }
  return [...kept.values()];
}
