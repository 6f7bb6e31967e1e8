/** Barcodes of documents: found, placed, and where they are payment slips or goods' numbers, taken apart. */
import type { Box } from "../../../ports/layout.ts";
import { IMAGE_TYPES, PDF } from "../../../ports/media-types.ts";
import type { Raster } from "../../imaging/raster.ts";
import { type Scan, scanRaster } from "./barcode-engine.ts";
import { mayHoldSymbol } from "./barcode-texture.ts";
import { type PageRasters, pageRasters } from "./page-rasters.ts";
import { parsePayload } from "./parse-payload.ts";
import type { Payload } from "./payload.ts";
import { merge, type Placed, place } from "./placed-symbols.ts";

export interface Barcode {
  /** zxing's name of the symbology: `QRCode`, `EAN13`, `Code128`, `DataMatrix`, `PDF417` … */
  format: string;
  /** As people read it: GS1 identifiers in brackets, bytes that cannot be printed by name (`<GS>`, `<U+80>`). */
  text: string;
  /** From 1. */
  pageNumber: number;
  /** Inches from the top left corner of the page as shown. */
  bbox: Box;
  payload?: Payload;
}

interface BarcodeOptions {
  /** 1-based; absent: all. */
  pageRange?: readonly number[];
}

/** The most of a document; a page of more than this is a sheet of labels whose rest is like them. */
const MOST_BARCODES = 10_000;

/** One look; another with more pixels where symbols were seen but not read, or something like one and nothing read. */
async function readPage(page: PageRasters): Promise<Placed[]> {
  const found: Placed[] = [];
  const look = async (more: boolean): Promise<{ raster: Raster; scan: Scan } | undefined> => {
    const raster = await page.draw(more);
    if (raster === undefined) return undefined;
    const scan = await scanRaster(raster);
    const whole = { left: 0, top: 0, right: page.width, bottom: page.height };
    found.push(...scan.symbols.map((symbol) => place(symbol, raster, whole)));
    return { raster, scan };
  };
  const first = await look(false);
  if (first === undefined) return [];
  const again = first.scan.unread > 0 || (found.length === 0 && mayHoldSymbol(first.raster, page.width));
  if (again) await look(true);
  return merge(found);
}

/**
 * Reads the barcodes of a PDF or image, of every symbology that the engine has; other documents have none. Pages are
 * drawn at 200 dpi (at most 20 million pixels), and again at 350 dpi or an image's double size where it promises more.
 * @returns page by page, from top to bottom; the same text in the same symbology once a page
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
    if (barcodes.length >= MOST_BARCODES) break;
    for (const { symbol, bbox } of await readPage(page)) {
      const payload = parsePayload(symbol);
      const { format, text } = symbol;
      barcodes.push({ format, text, pageNumber: page.pageNumber, bbox, ...(payload === undefined ? {} : { payload }) });
    }
  }
  return barcodes.slice(0, MOST_BARCODES);
}
