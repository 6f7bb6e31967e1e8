/**
 * The PDF engine: pdfium compiled to WebAssembly, with its plain C API (https://pdfium.googlesource.com/pdfium,
 * public/*.h). It starts once a process, from the file in the package; nothing is downloaded.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { init } from "@embedpdf/pdfium";
import { JobFailure } from "../../../ports/errors.ts";
import type { PdfiumFunctions } from "./pdfium-functions.ts";
import { resetSubstituteFonts } from "./substitute-fonts.ts";

/** The engine with its memory. Fetch views at each use: growing the memory detaches older ones. */
export interface Pdfium {
  call: PdfiumFunctions;
  bytes(): Uint8Array;
  view(): DataView;
}

let engineStart: Promise<Pdfium> | undefined;

/** The engine's WebAssembly file: in its package, or beside this code in a bundle without packages. */
function wasmFile(): string | URL {
  try {
    return createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
  } catch {
    return new URL("pdfium.wasm", import.meta.url);
  }
}

async function startEngine(): Promise<Pdfium> {
  const wasm = await readFile(wasmFile());
  const silent = () => {};
  const module = await init({
    wasmBinary: new Uint8Array(wasm).buffer,
    print: silent,
    printErr: silent,
  });
  // The package's wrappers convert every argument of every call; the exports take plain numbers.
  const pdfium = module.pdfium as unknown as { wasmExports: PdfiumFunctions; readonly HEAPU8: Uint8Array };
  const call = pdfium.wasmExports;
  let heap = pdfium.HEAPU8;
  let view = new DataView(heap.buffer);
  call.PDFiumExt_Init();
  resetSubstituteFonts({ call, bytes: () => pdfium.HEAPU8 });
  return {
    call,
    bytes: () => pdfium.HEAPU8,
    view: () => {
      if (heap !== pdfium.HEAPU8) {
        heap = pdfium.HEAPU8;
        view = new DataView(heap.buffer);
      }
      return view;
    },
  };
}

/** The engine of the process, started at the first call. */
export function loadPdfium(): Promise<Pdfium> {
  engineStart ??= startEngine().catch((error: unknown) => {
    engineStart = undefined;
    throw error;
  });
  return engineStart;
}

/** Drops an engine that trapped, because its memory can no longer be trusted. The next call starts another. */
export function discardPdfium(): void {
  engineStart = undefined;
}

/** Runs `use` with `bytes` of the engine's memory, freed afterwards. @throws JobFailure when there is no more */
export function withMemory<T>({ call }: Pdfium, bytes: number, use: (pointer: number) => T): T {
  const pointer = call.malloc(bytes);
  if (pointer === 0) throw new JobFailure("Processing failed: The document needs more memory than is allowed");
  try {
    return use(pointer);
  } finally {
    call.free(pointer);
  }
}

/** A rectangle in PDF user space: points, y upwards. */
export interface Rectangle {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** Reads the rectangle that `ask` writes as FS_RECTF (left, top, right, bottom); undefined when `ask` returns 0. */
export function readRectangle(pdfium: Pdfium, ask: (pointer: number) => number): Rectangle | undefined {
  return withMemory(pdfium, 16, (pointer) => {
    if (ask(pointer) === 0) return undefined;
    const view = pdfium.view();
    const [x, y] = [view.getFloat32(pointer, true), view.getFloat32(pointer + 8, true)];
    const [a, b] = [view.getFloat32(pointer + 4, true), view.getFloat32(pointer + 12, true)];
    return { left: Math.min(x, y), right: Math.max(x, y), bottom: Math.min(a, b), top: Math.max(a, b) };
  });
}

const utf16 = new TextDecoder("utf-16le");

/** Room for most texts, so that they are asked for once. */
const USUAL_TEXT_BYTES = 256;

/**
 * Reads the text that `ask` writes as UTF-16LE with a terminator. A text that is too long for the buffer is not
 * written; its size is the answer.
 * @param longest limit in characters; the rest is cut off
 */
export function readUtf16(
  pdfium: Pdfium,
  ask: (buffer: number, bytes: number) => number,
  longest = 10_000_000,
): string {
  const decode = (buffer: number, bytes: number): string =>
    utf16.decode(pdfium.bytes().slice(buffer, buffer + Math.min(bytes - 2, 2 * longest)));
  let bytes = 0;
  const short = withMemory(pdfium, USUAL_TEXT_BYTES, (buffer) => {
    bytes = ask(buffer, USUAL_TEXT_BYTES);
    if (bytes <= 2) return "";
    return bytes > USUAL_TEXT_BYTES ? undefined : decode(buffer, bytes);
  });
  return (
    short ??
    withMemory(pdfium, bytes, (buffer) => {
      ask(buffer, bytes);
      return decode(buffer, bytes);
    })
  );
}

/** Runs `use` with an ASCII text as a C string. */
export function withCString<T>(pdfium: Pdfium, text: string, use: (pointer: number) => T): T {
  return withMemory(pdfium, text.length + 1, (pointer) => {
    const bytes = pdfium.bytes();
    for (let at = 0; at < text.length; at += 1) bytes[pointer + at] = text.charCodeAt(at);
    bytes[pointer + text.length] = 0;
    return use(pointer);
  });
}
