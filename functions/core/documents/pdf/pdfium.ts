/**
 * The PDF engine: pdfium compiled to WebAssembly, its C API as it is (https://pdfium.googlesource.com/pdfium, public/*.h).
 * Started once per process, from the file in the package; nothing is fetched.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { init } from "@embedpdf/pdfium";
import { JobFailure } from "../../errors.ts";

/** Pointers, handles and C booleans are numbers; 0 is null and false. */
export interface PdfiumFunctions {
  malloc(bytes: number): number;
  free(pointer: number): void;
  PDFiumExt_Init(): void;
  FPDF_LoadMemDocument(data: number, bytes: number, password: number): number;
  FPDF_GetLastError(): number;
  FPDF_CloseDocument(document: number): void;
  FPDF_GetPageCount(document: number): number;
  FPDF_LoadPage(document: number, index: number): number;
  FPDF_ClosePage(page: number): void;
  FPDF_GetPageWidthF(page: number): number;
  FPDF_GetPageHeightF(page: number): number;
  FPDF_PageToDevice(
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    x: number,
    y: number,
    deviceX: number,
    deviceY: number,
  ): number;
  FPDFPage_GetAnnotCount(page: number): number;
  FPDFPage_GetAnnot(page: number, index: number): number;
  FPDFPage_CloseAnnot(annotation: number): void;
  FPDFAnnot_GetSubtype(annotation: number): number;
  FPDF_GetFormType(document: number): number;
  PDFiumExt_OpenFormFillInfo(): number;
  PDFiumExt_CloseFormFillInfo(info: number): void;
  PDFiumExt_InitFormFillEnvironment(document: number, info: number): number;
  PDFiumExt_ExitFormFillEnvironment(form: number): void;
  FPDFAnnot_GetFlags(annotation: number): number;
  FPDFAnnot_GetRect(annotation: number, rectangle: number): number;
  FPDFAnnot_GetFormFieldType(form: number, annotation: number): number;
  FPDFAnnot_GetFormFieldFlags(form: number, annotation: number): number;
  FPDFAnnot_GetFormFieldValue(form: number, annotation: number, buffer: number, bytes: number): number;
  FPDFAnnot_GetAP(annotation: number, mode: number, buffer: number, bytes: number): number;
  FPDFPage_Flatten(page: number, usage: number): number;
  FPDFText_LoadPage(page: number): number;
  FPDFText_ClosePage(textPage: number): void;
  FPDFText_CountChars(textPage: number): number;
  FPDFText_GetUnicode(textPage: number, index: number): number;
  FPDFText_IsGenerated(textPage: number, index: number): number;
  FPDFText_GetTextObject(textPage: number, index: number): number;
  FPDFText_GetCharOrigin(textPage: number, index: number, x: number, y: number): number;
  FPDFText_GetCharBox(textPage: number, index: number, l: number, r: number, b: number, t: number): number;
  FPDFText_GetLooseCharBox(textPage: number, index: number, rectangle: number): number;
  FPDFText_GetFontSize(textPage: number, index: number): number;
  FPDFText_GetFontInfo(textPage: number, index: number, buffer: number, bytes: number, flags: number): number;
  FPDFText_GetMatrix(textPage: number, index: number, matrix: number): number;
  FPDFText_GetBoundedText(
    textPage: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    buffer: number,
    units: number,
  ): number;
  FPDFTextObj_GetTextRenderMode(textObject: number): number;
  FPDFBitmap_CreateEx(width: number, height: number, format: number, scan: number, stride: number): number;
  FPDFBitmap_FillRect(bitmap: number, x: number, y: number, width: number, height: number, argb: number): number;
  FPDFBitmap_Destroy(bitmap: number): void;
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
}

/** The engine with its memory. Views are fetched at each use: growing the memory detaches older ones. */
export interface Pdfium {
  call: PdfiumFunctions;
  bytes(): Uint8Array;
  view(): DataView;
}

let running: Promise<Pdfium> | undefined;

/** The engine's file: in its package, or beside this code where a bundle has no packages. */
function wasmFile(): string | URL {
  try {
    return createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
  } catch {
    return new URL("pdfium.wasm", import.meta.url);
  }
}

async function start(): Promise<Pdfium> {
  const wasm = await readFile(wasmFile());
  const silent = () => {};
  const module = await init({
    wasmBinary: new Uint8Array(wasm).buffer,
    print: silent,
    printErr: silent,
  });
  // The package's wrappers convert every argument of every call; the exports take numbers as they are.
  const pdfium = module.pdfium as unknown as { wasmExports: PdfiumFunctions; readonly HEAPU8: Uint8Array };
  const call = pdfium.wasmExports;
  let view = new DataView(pdfium.HEAPU8.buffer);
  call.PDFiumExt_Init();
  return {
    call,
    bytes: () => pdfium.HEAPU8,
    view: () => {
      if (view.buffer !== pdfium.HEAPU8.buffer) view = new DataView(pdfium.HEAPU8.buffer);
      return view;
    },
  };
}

/** The process's engine, started at the first call. */
export function loadPdfium(): Promise<Pdfium> {
  running ??= start().catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  return running;
}

/** Forgets an engine that has trapped: its memory can no longer be trusted. The next call starts another. */
export function discardPdfium(): void {
  running = undefined;
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
