/** Barcodes as blocks of the layout. */

import type { BarcodeBlock, Box } from "../../../ports/layout.ts";
import type { Raster } from "../../imaging/raster.ts";
import { area } from "../../layout/geometry.ts";
import { type FoundSymbol, scanRaster } from "./barcode-engine.ts";
import { MATRIX, merge, place } from "./placed-symbols.ts";

/** A part of a page, or all of it, as a picture. */
export interface ShownPart {
  raster: Raster;
  /** Inches from the top left corner of the page as shown. */
  box: Box;
}

/** Error correction finds what was misread; a check digit most of it; some symbologies have neither. */
const CORRECTED = 1;
const CHECKED = 0.99;
const UNCHECKED = 0.9;
const WITH_CHECK = new Set(["EANUPC", "Code128", "Code93", "DataBar"]);
/** Of symbologies that check nothing, shorter texts are stripes of something else as often as codes. */
const SHORTEST_UNCHECKED = 6;
/** One symbol that fills so much of a picture is all that the picture shows. */
const FILLS = 0.25;
const confidenceOf = ({ symbology }: FoundSymbol): number =>
  MATRIX.has(symbology) ? CORRECTED : WITH_CHECK.has(symbology) ? CHECKED : UNCHECKED;

const isCode = (symbol: FoundSymbol): boolean =>
  confidenceOf(symbol) > UNCHECKED || symbol.text.length >= SHORTEST_UNCHECKED;

/** The barcodes that a picture shows; one look. @throws JobFailure when the engine fails */
export async function barcodesIn({ raster, box }: ShownPart): Promise<BarcodeBlock[]> {
  const { symbols } = await scanRaster(raster);
  return merge(symbols.filter(isCode).map((symbol) => place(symbol, raster, box))).map(toBlock);
}

/** The same of a picture that may well be one symbol and nothing else, in a fifth of the time if it is. */
export async function barcodesOf(part: ShownPart): Promise<BarcodeBlock[]> {
  const { symbols } = await scanRaster(part.raster, 1);
  const [first] = symbols;
  if (first === undefined) return [];
  const whole = part.raster.width * part.raster.height;
  if (area(first.box) < FILLS * whole) return barcodesIn(part);
  return isCode(first) ? [toBlock(place(first, part.raster, part.box))] : [];
}

const toBlock = ({ symbol, bbox }: ReturnType<typeof place>): BarcodeBlock => ({
  kind: "barcode",
  box: bbox,
  lines: [],
  format: symbol.format,
  value: symbol.text,
  confidence: confidenceOf(symbol),
});
