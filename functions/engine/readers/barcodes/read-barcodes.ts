/** Barcodes of documents: found, placed and, for payment slips and goods, parsed. */
import type { Box } from "../../../ports/layout.ts";
import { IMAGE_TYPES, PDF } from "../../../ports/media-types.ts";
import type { Raster } from "../../imaging/raster.ts";
import { type RasterScan, scanRaster } from "./barcode-engine.ts";
import { hasSymbolTexture } from "./barcode-texture.ts";
import { type PageRasterSource, pageRasters } from "./page-rasters.ts";
import { parsePayload } from "./parse-payload.ts";
import type { Payload } from "./payload.ts";
import { mergeSymbols, type PlacedSymbol, placeSymbol } from "./placed-symbols.ts";

export interface Barcode {
  /** zxing's name of the symbology: `QRCode`, `EAN13`, `Code128`, `DataMatrix`, `PDF417` … */
  format: string;
  /** Human-readable: GS1 identifiers in brackets, unprintable bytes by name (`<GS>`, `<U+80>`). */
  text: string;
  /** From 1. */
  pageNumber: number;
  /** Inches from the top left corner of the page as shown. */
  bbox: Box;
  payload?: Payload;
}

interface BarcodeOptions {
  /** Page numbers, from 1; absent: all. */
  pageRange?: readonly number[];
}

/** Maximum of a document. Pages with more barcodes are sheets of labels. */
const MAX_BARCODES = 10_000;

/**
 * Scans once, and again with more pixels when symbols were seen but not decoded, or when nothing was read from a page
 * with barcode texture.
 */
async function readPageSymbols(page: PageRasterSource): Promise<PlacedSymbol[]> {
  const found: PlacedSymbol[] = [];
  const look = async (more: boolean): Promise<{ raster: Raster; scan: RasterScan } | undefined> => {
    const raster = await page.draw(more);
    if (raster === undefined) return undefined;
    const scan = await scanRaster(raster);
    const whole = { left: 0, top: 0, right: page.width, bottom: page.height };
    found.push(...scan.symbols.map((symbol) => placeSymbol(symbol, raster, whole)));
    return { raster, scan };
  };
  const first = await look(false);
  if (first === undefined) return [];
  const again = first.scan.unread > 0 || (found.length === 0 && hasSymbolTexture(first.raster, page.width));
  if (again) await look(true);
  return mergeSymbols(found);
}

/**
 * Reads the barcodes of a PDF or image, of every symbology of the engine; other documents have none. Pages are rendered
 * at 200 dpi (at most 20 million pixels), and again at 350 dpi or an image's double size where that may find more.
 * @returns page by page, from top to bottom; each text of a symbology once a page
 * @throws JobFailure: corrupted, password protected, more than 100 megapixels
 */
export async function readBarcodes(
  bytes: Uint8Array,
  mimeType: string,
  { pageRange }: BarcodeOptions = {},
): Promise<Barcode[]> {
  if (mimeType !== PDF && !IMAGE_TYPES.has(mimeType)) return [];
  const wanted = pageRange === undefined ? undefined : new Set(pageRange);
  const barcodes: Barcode[] = [];
  for (const page of await pageRasters(bytes, mimeType, mimeType === PDF)) {
    if (wanted !== undefined && !wanted.has(page.pageNumber)) continue;
    if (barcodes.length >= MAX_BARCODES) break;
    for (const { symbol, bbox } of await readPageSymbols(page)) {
      const payload = parsePayload(symbol);
      const { format, text } = symbol;
      barcodes.push({ format, text, pageNumber: page.pageNumber, bbox, ...(payload === undefined ? {} : { payload }) });
    }
  }
  return barcodes.slice(0, MAX_BARCODES);
}
