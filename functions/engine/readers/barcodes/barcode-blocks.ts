/** Barcodes as blocks of the layout. */

import type { BarcodeBlock, Box } from "../../../ports/layout.ts";
import type { Raster } from "../../imaging/raster.ts";
import { area } from "../../layout/geometry.ts";
import { type FoundSymbol, scanRaster } from "./barcode-engine.ts";
import { MATRIX_SYMBOLOGIES, mergeSymbols, placeSymbol } from "./placed-symbols.ts";

/** A raster of a page or of a part of it. */
export interface PagePart {
  raster: Raster;
  /** Inches from the top left corner of the page as shown. */
  box: Box;
}

/**
 * Confidence by the symbology's check: error correction finds misreadings, a check digit most of them; some symbologies
 * have neither.
 */
const ERROR_CORRECTED_CONFIDENCE = 1;
const CHECK_DIGIT_CONFIDENCE = 0.99;
const UNCHECKED_CONFIDENCE = 0.9;
const CHECK_DIGIT_SYMBOLOGIES = new Set(["EANUPC", "Code128", "Code93", "DataBar"]);
/** Shorter texts of symbologies without a check are often stripes of something else. */
const MIN_UNCHECKED_CHARACTERS = 6;
/** A symbol that fills this share of a picture is all that the picture shows. */
const WHOLE_PICTURE_AREA_SHARE = 0.25;

const confidenceOf = ({ symbology }: FoundSymbol): number =>
  MATRIX_SYMBOLOGIES.has(symbology)
    ? ERROR_CORRECTED_CONFIDENCE
    : CHECK_DIGIT_SYMBOLOGIES.has(symbology)
      ? CHECK_DIGIT_CONFIDENCE
      : UNCHECKED_CONFIDENCE;

const isPlausibleSymbol = (symbol: FoundSymbol): boolean =>
  confidenceOf(symbol) > UNCHECKED_CONFIDENCE || symbol.text.length >= MIN_UNCHECKED_CHARACTERS;

/** The barcodes on a raster, from one scan. @throws JobFailure when the engine fails */
export async function findBarcodes({ raster, box }: PagePart): Promise<BarcodeBlock[]> {
  const { symbols } = await scanRaster(raster);
  return mergeSymbols(symbols.filter(isPlausibleSymbol).map((symbol) => placeSymbol(symbol, raster, box))).map(toBlock);
}

/** The barcodes on a raster that is likely one symbol and nothing else; five times as fast when it is. */
export async function findBarcodesSingleFirst(part: PagePart): Promise<BarcodeBlock[]> {
  const { symbols } = await scanRaster(part.raster, 1);
  const [first] = symbols;
  if (first === undefined) return [];
  const whole = part.raster.width * part.raster.height;
  if (area(first.box) < WHOLE_PICTURE_AREA_SHARE * whole) return findBarcodes(part);
  return isPlausibleSymbol(first) ? [toBlock(placeSymbol(first, part.raster, part.box))] : [];
}

const toBlock = ({ symbol, bbox }: ReturnType<typeof placeSymbol>): BarcodeBlock => ({
  kind: "barcode",
  box: bbox,
  lines: [],
  format: symbol.format,
  value: symbol.text,
  confidence: confidenceOf(symbol),
});
