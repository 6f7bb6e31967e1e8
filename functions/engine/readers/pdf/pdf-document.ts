/** Opens PDFs and their pages. Handles are always closed; pdfium's failures become the job's sentences. */
import { JobFailure } from "../../../ports/errors.ts";
import type { Attachment, Box } from "../../../ports/layout.ts";
import { readAnnotations } from "./annotations.ts";
import { readAttachments } from "./attachments.ts";
import { withForm } from "./form-field-values.ts";
import { Ligatures } from "./ligatures.ts";
import { type Matrix, transformBox } from "./matrix.ts";
import { corrupted, documentFault, isTrap } from "./pdf-faults.ts";
import type { HiddenLayers, PdfPage } from "./pdf-page.ts";
import { discardPdfium, loadPdfium, type Pdfium, type Rectangle, withMemory } from "./pdfium.ts";
import { refuseRepeatedBranches } from "./repeated-branches.ts";

/** FORMTYPE_XFA_FULL, fpdf_formfill.h: an XFA processor makes the pages when the file is opened. */
const FORM_TYPE_XFA_FULL = 2;
const DYNAMIC_FORM_SENTENCE =
  "Processing failed: The document is a dynamic XFA form without pages of its own; save or print it as a static PDF";

/** FPDFPage_Flatten, fpdf_flatten.h. */
const FLATTEN_FOR_DISPLAY = 0;
const FLATTEN_SUCCESS = 1;

export interface PdfDocument {
  pageCount: number;
  /** True for a document with form fields. */
  hasForm: boolean;
  /** Opens a page by index from 0 for `use`. @throws JobFailure (corrupted) when the page cannot be opened */
  withPage<T>(index: number, use: (page: PdfPage) => T): T;
  /** The files attached to the document. */
  attachments(): Attachment[];
}

/**
 * Measures the page transform at three points on a very fine device, because pdfium returns it rounded to whole device
 * pixels.
 */
function measureTransform(pdfium: Pdfium, page: number, width: number, height: number): Matrix {
  const DEVICE_PIXELS_PER_POINT = 10_000;
  const MEASURED_POINTS = 1_000;
  return withMemory(pdfium, 8, (out) => {
    const toDevice = (x: number, y: number): [number, number] => {
      const size = [Math.round(width * DEVICE_PIXELS_PER_POINT), Math.round(height * DEVICE_PIXELS_PER_POINT)] as const;
      pdfium.call.FPDF_PageToDevice(page, 0, 0, size[0], size[1], 0, x, y, out, out + 4);
      const view = pdfium.view();
      return [
        view.getInt32(out, true) / DEVICE_PIXELS_PER_POINT,
        view.getInt32(out + 4, true) / DEVICE_PIXELS_PER_POINT,
      ];
    };
    const [e, f] = toDevice(0, 0);
    const [xx, xy] = toDevice(MEASURED_POINTS, 0);
    const [yx, yy] = toDevice(0, MEASURED_POINTS);
    return {
      a: (xx - e) / MEASURED_POINTS,
      b: (xy - f) / MEASURED_POINTS,
      c: (yx - e) / MEASURED_POINTS,
      d: (yy - f) / MEASURED_POINTS,
      e,
      f,
    };
  });
}

function loadPage({ call }: Pdfium, document: number, index: number): number {
  const page = call.FPDF_LoadPage(document, index);
  if (page === 0) throw corrupted();
  return page;
}

/** The rotation of the page's transform, also for pages without a rotation in pdfium. */
function rotationOf({ a, b }: Matrix): number {
  if (Math.abs(a) > Math.abs(b)) return a > 0 ? 0 : 180;
  return b > 0 ? 90 : 270;
}

const isOnPage = ({ left, top, right, bottom }: Box, width: number, height: number): boolean =>
  right >= 0 && left <= width && bottom >= 0 && top <= height;

function withPage<T>(pdfium: Pdfium, open: OpenDocument, index: number, use: (page: PdfPage) => T): T {
  const { call } = pdfium;
  let handle = loadPage(pdfium, open.document, index);
  try {
    // Flattening turns form fields, stamps and typed notes into content and removes all annotations.
    const { values, links, notes, appearancesShowText } = readAnnotations(pdfium, open, handle);
    if (appearancesShowText && call.FPDFPage_Flatten(handle, FLATTEN_FOR_DISPLAY) === FLATTEN_SUCCESS) {
      const before = handle;
      // Loading the new page before the old one closes keeps their shared fonts and pictures.
      handle = loadPage(pdfium, open.document, index);
      call.FPDF_ClosePage(before);
    }
    const width = call.FPDF_GetPageWidthF(handle);
    const height = call.FPDF_GetPageHeightF(handle);
    if (!(width > 0 && height > 0)) throw corrupted();
    const toShown = measureTransform(pdfium, handle, width, height);
    const show = <T extends Rectangle>({ left, bottom, right, top, ...rest }: T) => ({
      ...rest,
      box: transformBox(toShown, left, bottom, right, top),
    });
    return use({
      pdfium,
      document: open.document,
      layers: open.layers,
      ligatures: open.ligatures,
      handle,
      width,
      height,
      rotation: rotationOf(toShown),
      toShown,
      fields: values.map(show),
      links: links.map(show),
      notes: notes.map(show).filter(({ box }) => isOnPage(box, width, height)),
    });
  } finally {
    if (handle !== 0) call.FPDF_ClosePage(handle);
  }
}

/**
 * Tells whether an XFA processor makes all visible content: the file's own page then says only "please wait". A file
 * with fields on its pages can be read.
 */
function isUnreadableForm(pdfium: Pdfium, document: number): boolean {
  const { call } = pdfium;
  if (call.FPDF_GetFormType(document) !== FORM_TYPE_XFA_FULL || call.FPDF_GetPageCount(document) !== 1) return false;
  const page = loadPage(pdfium, document, 0);
  try {
    return call.FPDFPage_GetAnnotCount(page) === 0;
  } finally {
    call.FPDF_ClosePage(page);
  }
}

interface OpenDocument {
  document: number;
  /** 0 when the document has no form. */
  form: number;
  layers: HiddenLayers | undefined;
  ligatures: Ligatures;
}

function withLoadedDocument<T>(
  pdfium: Pdfium,
  { data, bytes, layers }: { data: number; bytes: Uint8Array; layers: HiddenLayers | undefined },
  use: (document: PdfDocument) => T,
): T {
  const { call } = pdfium;
  const document = call.FPDF_LoadMemDocument(data, bytes.length, 0);
  if (document === 0) throw documentFault(call.FPDF_GetLastError());
  const ligatures = new Ligatures(bytes);
  try {
    if (isUnreadableForm(pdfium, document)) throw new JobFailure(DYNAMIC_FORM_SENTENCE);
    if (call.FPDF_GetFormType(document) !== 0) refuseRepeatedBranches(bytes);
    return withForm(pdfium, document, (form) =>
      use({
        pageCount: call.FPDF_GetPageCount(document),
        hasForm: call.FPDF_GetFormType(document) !== 0,
        withPage: (index, usePage) => withPage(pdfium, { document, form, layers, ligatures }, index, usePage),
        attachments: () => readAttachments(pdfium, document),
      }),
    );
  } finally {
    call.FPDF_CloseDocument(document);
  }
}

/**
 * Opens a PDF for `use`; it is closed when `use` returns. A file that only an owner password protects opens.
 * @param layers the hidden layers of the document
 * @throws JobFailure: password protected; encrypted in an unknown way; a form without pages, or with groups of fields
 * that repeat without end; corrupted, also when pdfium itself fails
 */
export async function withPdf<T>(
  bytes: Uint8Array,
  use: (document: PdfDocument) => T,
  layers?: HiddenLayers,
): Promise<T> {
  const pdfium = await loadPdfium();
  try {
    return withMemory(pdfium, Math.max(bytes.length, 1), (data) => {
      pdfium.bytes().set(bytes, data);
      return withLoadedDocument(pdfium, { data, bytes, layers }, use);
    });
  } catch (error) {
    if (!isTrap(error)) throw error;
    discardPdfium();
    throw corrupted(error);
  }
}
