/**
 * The barcode engine: zxing-cpp compiled to WebAssembly (https://github.com/zxing-cpp/zxing-cpp), started once per
 * process from the file in its package; nothing is fetched.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { prepareZXingModule, purgeZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader";
import { JobFailure } from "../../../ports/errors.ts";
import type { Raster } from "../../imaging/raster.ts";

/** In pixels of the picture. */
export interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface FoundSymbol {
  /** zxing's name: `QRCode`, `EAN13`, `Code128` … */
  format: string;
  /** The family: `EANUPC` for all of its kinds. */
  symbology: string;
  /** As people read it: GS1 identifiers in brackets, what cannot be printed by name (`<GS>`). */
  text: string;
  /** As encoded, before any character set. */
  bytes: Uint8Array;
  /** It carries GS1 element strings. */
  gs1: boolean;
  box: PixelBox;
}

export interface Scan {
  symbols: FoundSymbol[];
  /** Symbols that were seen but could not be read; more pixels may help. */
  unread: number;
}

/** Without these five of eight kinds of symbols are missed on rendered pages. */
const SETTINGS: ReaderOptions = {
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
  returnErrors: true,
  textMode: "HRI",
};

let running: Promise<unknown> | undefined;

/** The engine's file: in its package, or beside this code where a bundle has no packages. */
function wasmFile(): string | URL {
  try {
    return createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
  } catch {
    return new URL("zxing_reader.wasm", import.meta.url);
  }
}

async function start(): Promise<void> {
  const wasm = await readFile(wasmFile());
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
}

function loadEngine(): Promise<unknown> {
  running ??= start().catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  return running;
}

/** A symbol of one line is as thin as the line it was read on. */
const THINNEST = 1;

function boxAround(points: readonly { x: number; y: number }[], { width, height }: Raster): PixelBox {
  const within = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
  const xs = points.map(({ x }) => within(x, width));
  const ys = points.map(({ y }) => within(y, height));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, right: Math.max(...xs, left + THINNEST), bottom: Math.max(...ys, top + THINNEST) };
}

/**
 * The symbols in a picture, of all kinds that the engine knows.
 * @param most it stops looking when it has so many; absent: all
 * @throws JobFailure when the engine itself fails; it is then started anew
 */
export async function scanRaster(raster: Raster, most?: number): Promise<Scan> {
  await loadEngine();
  const { width, height, rgba } = raster;
  const data = new Uint8ClampedArray(rgba.buffer as ArrayBuffer, rgba.byteOffset, rgba.byteLength);
  try {
    const settings = most === undefined ? SETTINGS : { ...SETTINGS, maxNumberOfSymbols: most };
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
    running = undefined;
    throw new JobFailure("Processing failed: The barcodes of a page could not be read", { cause: error });
  }
}
