/** Barcodes drawn by our own code, as pictures and as PDF pages. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { degrees, PDFDocument, rgb } from "@cantoo/pdf-lib";
import sharp, { type Sharp } from "sharp";
import { prepareZXingModule, type WriterOptions, writeBarcode } from "zxing-wasm/writer";

const wasm = await readFile(createRequire(import.meta.url).resolve("zxing-wasm/writer/zxing_writer.wasm"));
await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });

export interface Modules {
  width: number;
  height: number;
  /** 0 is dark. */
  data: Uint8ClampedArray;
}

/** A symbol in pixels, quiet zone included. */
export async function symbol(content: string | Uint8Array, options: WriterOptions): Promise<Modules> {
  const { symbol: modules, image, error } = await writeBarcode(content, { scale: 1, ...options });
  if (error !== "" || image === null) throw new Error(`No symbol: ${error}`);
  const png = sharp(new Uint8Array(await image.arrayBuffer())).greyscale();
  const { data, info } = await png.raw().toBuffer({ resolveWithObject: true });
  if (modules.width <= 0) throw new Error("No symbol");
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
}

export interface PlacedSymbol {
  modules: Modules;
  /** Points from the left and top edge of a letter page, and a module's width. */
  left: number;
  top: number;
  module: number;
}

/** One letter page with symbols drawn as filled squares. */
export async function symbolsPdf(placed: readonly PlacedSymbol[], rotate: 0 | 90 | 180 | 270 = 0): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const page = document.addPage([612, 792]);
  page.setRotation(degrees(rotate));
  for (const { modules, left, top, module } of placed) {
    for (const [index, value] of modules.data.entries()) {
      if (value > 127) continue;
      const x = left + (index % modules.width) * module;
      const y = 792 - top - (Math.floor(index / modules.width) + 1) * module;
      page.drawRectangle({ x, y, width: module, height: module, color: rgb(0, 0, 0) });
    }
  }
  return document.save();
}

/** A symbol as an image, each module so many pixels. */
export const symbolImage = ({ width, height, data }: Modules, scale: number): Sharp =>
  sharp(Buffer.from(data), { raw: { width, height, channels: 1 } })
    .resize(width * scale, height * scale, { kernel: "nearest" })
    .extend({ top: 20, bottom: 20, left: 20, right: 20, background: "white" });
