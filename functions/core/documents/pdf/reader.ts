/** Opening a PDF and its pages: handles that are always closed, and pdfium's failures as the job's sentences. */
import { JOB_SENTENCES, JobFailure } from "../../errors.ts";
import type { Box } from "../layout.ts";
import { fieldValues, withForm } from "./fields.ts";
import { discardPdfium, loadPdfium, type Pdfium, withMemory } from "./pdfium.ts";

/** FPDF_GetLastError, fpdfview.h: a password is needed, or the encryption is of a kind that pdfium cannot undo. */
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;

/** Annotations (FPDF_ANNOT_*, fpdf_annot.h) whose looks hold text that is not in the page's own content. */
const FREE_TEXT = 3;
const STAMP = 13;
const WIDGET = 20;
const TEXT_BEARERS = new Set([FREE_TEXT, STAMP, WIDGET]);
const NORMAL_LOOK = 0;
/** Operators that show text (PDF 32000-1, 9.4.3), or `Do`. */
const TEXT_OPERATOR = /[\s)\]>](?:Tj|TJ|'|"|Do)(?=\s|$)/;
/** FPDFPage_Flatten, fpdf_flatten.h. */
const FLATTEN_FOR_DISPLAY = 0;
const FLATTENED = 1;

const utf16 = new TextDecoder("utf-16le");

/** x' = a·x + c·y + e, y' = b·x + d·y + f */
export interface Matrix {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

export interface PdfPage {
  pdfium: Pdfium;
  handle: number;
  /** Points, as shown. */
  width: number;
  height: number;
  /** Degrees clockwise: 0, 90, 180, 270. */
  rotation: number;
  /** From PDF user space to points from the top left corner of the page as shown. */
  toShown: Matrix;
  /** Values of the page's text fields, as shown. */
  fields: { text: string; box: Box }[];
}

export interface PdfDocument {
  pageCount: number;
  /** Opens a page by index from 0 for `use`. @throws JobFailure (corrupted) when the page cannot be opened */
  withPage<T>(index: number, use: (page: PdfPage) => T): T;
}

/** The upright box around a box after a transform. */
export function transformBox(matrix: Matrix, left: number, bottom: number, right: number, top: number): Box {
  const { a, b, c, d, e, f } = matrix;
  return {
    left: Math.min(a * left, a * right) + Math.min(c * bottom, c * top) + e,
    right: Math.max(a * left, a * right) + Math.max(c * bottom, c * top) + e,
    top: Math.min(b * left, b * right) + Math.min(d * bottom, d * top) + f,
    bottom: Math.max(b * left, b * right) + Math.max(d * bottom, d * top) + f,
  };
}

const corrupted = (cause?: unknown): JobFailure =>
  new JobFailure(JOB_SENTENCES.corrupted, cause === undefined ? {} : { cause });

/** What WebAssembly throws when the code inside traps, or runs out of stack; the engine is then beyond use. */
const isTrap = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "RuntimeError" || (error instanceof RangeError && error.message.includes("call stack")));

/**
 * pdfium gives its page transform only rounded to whole device pixels, so three points are asked for on a very fine
 * device.
 */
function measureTransform(pdfium: Pdfium, page: number, width: number, height: number): Matrix {
  const FINENESS = 10_000;
  const REACH = 1_000;
  return withMemory(pdfium, 8, (out) => {
    const ask = (x: number, y: number): [number, number] => {
      const size = [Math.round(width * FINENESS), Math.round(height * FINENESS)] as const;
      pdfium.call.FPDF_PageToDevice(page, 0, 0, size[0], size[1], 0, x, y, out, out + 4);
      const view = pdfium.view();
      return [view.getInt32(out, true) / FINENESS, view.getInt32(out + 4, true) / FINENESS];
    };
    const [e, f] = ask(0, 0);
    const [xx, xy] = ask(REACH, 0);
    const [yx, yy] = ask(0, REACH);
    return { a: (xx - e) / REACH, b: (xy - f) / REACH, c: (yx - e) / REACH, d: (yy - f) / REACH, e, f };
  });
}

/** Whether an annotation's look shows text, itself or in a form that it draws. */
function showsText(pdfium: Pdfium, annotation: number): boolean {
  const { call } = pdfium;
  const bytes = call.FPDFAnnot_GetAP(annotation, NORMAL_LOOK, 0, 0);
  if (bytes <= 2) return false;
  const look = withMemory(pdfium, bytes, (buffer) => {
    call.FPDFAnnot_GetAP(annotation, NORMAL_LOOK, buffer, bytes);
    return utf16.decode(pdfium.bytes().slice(buffer, buffer + bytes - 2));
  });
  return TEXT_OPERATOR.test(look);
}

/** Turns form fields, stamps and typed notes into page content. @returns whether the page must be loaded again */
function flatten(pdfium: Pdfium, page: number): boolean {
  const { call } = pdfium;
  const count = call.FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index += 1) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const found = TEXT_BEARERS.has(call.FPDFAnnot_GetSubtype(annotation)) && showsText(pdfium, annotation);
    call.FPDFPage_CloseAnnot(annotation);
    if (found) return call.FPDFPage_Flatten(page, FLATTEN_FOR_DISPLAY) === FLATTENED;
  }
  return false;
}

function loadPage({ call }: Pdfium, document: number, index: number): number {
  const page = call.FPDF_LoadPage(document, index);
  if (page === 0) throw corrupted();
  return page;
}

/** The turn that the page's transform makes: also for pages that pdfium gives no rotation for. */
function rotationOf({ a, b }: Matrix): number {
  if (Math.abs(a) > Math.abs(b)) return a > 0 ? 0 : 180;
  return b > 0 ? 90 : 270;
}

function withPage<T>(pdfium: Pdfium, open: OpenDocument, index: number, use: (page: PdfPage) => T): T {
  const { call } = pdfium;
  let handle = loadPage(pdfium, open.document, index);
  try {
    const values = fieldValues(pdfium, open.form, handle);
    if (flatten(pdfium, handle)) {
      call.FPDF_ClosePage(handle);
      handle = 0;
      handle = loadPage(pdfium, open.document, index);
    }
    const width = call.FPDF_GetPageWidthF(handle);
    const height = call.FPDF_GetPageHeightF(handle);
    if (!(width > 0 && height > 0)) throw corrupted();
    const toShown = measureTransform(pdfium, handle, width, height);
    const fields = values.map(({ text, left, bottom, right, top }) => ({
      text,
      box: transformBox(toShown, left, bottom, right, top),
    }));
    return use({ pdfium, handle, width, height, rotation: rotationOf(toShown), toShown, fields });
  } finally {
    if (handle !== 0) call.FPDF_ClosePage(handle);
  }
}

interface OpenDocument {
  document: number;
  /** 0 when the document has no form. */
  form: number;
}

function withLoaded<T>(pdfium: Pdfium, data: number, bytes: number, use: (document: PdfDocument) => T): T {
  const { call } = pdfium;
  const document = call.FPDF_LoadMemDocument(data, bytes, 0);
  if (document === 0) {
    const reason = call.FPDF_GetLastError();
    if (reason === ERROR_PASSWORD || reason === ERROR_SECURITY) throw new JobFailure(JOB_SENTENCES.password);
    throw corrupted();
  }
  try {
    return withForm(pdfium, document, (form) =>
      use({
        pageCount: call.FPDF_GetPageCount(document),
        withPage: (index, usePage) => withPage(pdfium, { document, form }, index, usePage),
      }),
    );
  } finally {
    call.FPDF_CloseDocument(document);
  }
}

/**
 * Opens a PDF for `use`, which must be done with it when it returns. A file that only its owner's password protects
 * opens.
 * @throws JobFailure: password protected; corrupted, also when pdfium itself fails
 */
export async function withPdf<T>(bytes: Uint8Array, use: (document: PdfDocument) => T): Promise<T> {
  const pdfium = await loadPdfium();
  try {
    return withMemory(pdfium, Math.max(bytes.length, 1), (data) => {
      pdfium.bytes().set(bytes, data);
      return withLoaded(pdfium, data, bytes.length, use);
    });
  } catch (error) {
    if (!isTrap(error)) throw error;
    discardPdfium();
    throw corrupted(error);
  }
}
