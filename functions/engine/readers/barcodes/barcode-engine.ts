/**
 * The barcode engine: zxing-cpp compiled to WebAssembly (https://github.com/zxing-cpp/zxing-cpp). It starts once a
 * process from the file in its package; nothing is downloaded.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { prepareZXingModule, purgeZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader";
import { JobFailure } from "../../../ports/errors.ts";
import type { Raster } from "../../imaging/raster.ts";

/** A box in pixels of the raster. */
export interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface FoundSymbol {
  /** zxing's name of the symbology: `QRCode`, `EAN13`, `Code128` … */
  format: string;
  /** The family of symbologies: `EANUPC` for all its kinds. */
  symbology: string;
  /** Human-readable: GS1 identifiers in brackets, unprintable characters by name (`<GS>`). */
  text: string;
  /** The encoded bytes, before any character set. */
  bytes: Uint8Array;
  /** True for GS1 element strings. */
  gs1: boolean;
  box: PixelBox;
}

export interface RasterScan {
  symbols: FoundSymbol[];
  /** Symbols seen but not decoded; more pixels may help. */
  unread: number;
}

/** Without these options five of eight kinds of symbols are missed on rendered pages. */
const READER_OPTIONS: ReaderOptions = {
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
  returnErrors: true,
  textMode: "HRI",
};

let engineStart: Promise<unknown> | undefined;

/** The engine's WebAssembly file: in its package, or beside this code in a bundle without packages. */
function wasmFile(): string | URL {
  try {
    return createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
  } catch {
    return new URL("zxing_reader.wasm", import.meta.url);
  }
}

async function startEngine(): Promise<void> {
  const wasm = await readFile(wasmFile());
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
}

function loadEngine(): Promise<unknown> {
  engineStart ??= startEngine().catch((error: unknown) => {
    engineStart = undefined;
    throw error;
  });
  return engineStart;
}

/** Thickness of a symbol of one line in pixels: the line that it was read on. */
const MIN_SIDE_PIXELS = 1;

function boxAround(points: readonly { x: number; y: number }[], { width, height }: Raster): PixelBox {
  const within = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
  const xs = points.map(({ x }) => within(x, width));
  const ys = points.map(({ y }) => within(y, height));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, right: Math.max(...xs, left + MIN_SIDE_PIXELS), bottom: Math.max(...ys, top + MIN_SIDE_PIXELS) };
}

/**
 * Finds the symbols on a raster, of all symbologies of the engine.
 * @param most stops after this many symbols; absent: all
 * @throws JobFailure when the engine itself fails; the next call starts it anew
 */
export async function scanRaster(raster: Raster, most?: number): Promise<RasterScan> {
  await loadEngine();
  const { width, height, rgba } = raster;
  const data = new Uint8ClampedArray(rgba.buffer as ArrayBuffer, rgba.byteOffset, rgba.byteLength);
  try {
    const settings = most === undefined ? READER_OPTIONS : { ...READER_OPTIONS, maxNumberOfSymbols: most };
    const results = await readBarcodes({ data, width, height, colorSpace: "srgb" }, settings);
    const symbols = results
      .filter(({ isValid }) => isValid)
      .map(({ format, symbology, text, bytes, contentType, position }): FoundSymbol => {
        const { topLeft, topRight, bottomLeft, bottomRight } = position;
        const box = boxAround([topLeft, topRight, bottomLeft, bottomRight], raster);
        return { format, symbology, text, bytes, gs1: contentType === "GS1", box };
      });
    return { symbols, unread: results.length - symbols.length };
  } catch (error) {
    purgeZXingModule();
    engineStart = undefined;
    throw new JobFailure("Processing failed: The barcodes of a page could not be read", { cause: error });
  }
}
