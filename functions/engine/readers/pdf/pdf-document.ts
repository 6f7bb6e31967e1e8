/** Opening a PDF and its pages: handles that are always closed, and pdfium's failures as the job's sentences. */
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";
import type { Attachment, Box } from "../../../ports/layout.ts";
import { readAnnotations } from "./annotations.ts";
import { readAttachments } from "./attachments.ts";
import { type ShownValue, withForm } from "./form-field-values.ts";
import { Ligatures } from "./ligatures.ts";
import type { PageLink } from "./page-links.ts";
import { discardPdfium, loadPdfium, type Pdfium, type Rectangle, withMemory } from "./pdfium.ts";

/** FPDF_GetLastError, fpdfview.h: a password is needed, or the encryption is of a kind that pdfium cannot undo. */
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;

/** FORMTYPE_XFA_FULL, fpdf_formfill.h: the pages are made by an XFA processor when the file is opened. */
const DYNAMIC_XFA = 2;
const DYNAMIC_FORM =
  "Processing failed: The document is a dynamic XFA form without pages of its own; save or print it as a static PDF";

/** FPDFPage_Flatten, fpdf_flatten.h. */
const FLATTEN_FOR_DISPLAY = 0;
const FLATTENED = 1;

/** x' = a·x + c·y + e, y' = b·x + d·y + f */
export interface Matrix {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

/** The key of an integer in the dictionaries of hidden layers, of our own. */
export const HIDDEN_KEY = "SheafHidden";

/** How a document's hidden layers are told: by our mark, or by these names, a character a byte. */
type LayerWatch = "marked" | ReadonlySet<string>;

/** Bytes of a layer's name that can be compared. */
export const LONGEST_LAYER = 200;

export interface PdfPage {
  pdfium: Pdfium;
  document: number;
  handle: number;
  /** Of a document that hides layers (layers.ts). */
  layers: LayerWatch | undefined;
  ligatures: Ligatures;
  /** Points, as shown. */
  width: number;
  height: number;
  /** Degrees clockwise: 0, 90, 180, 270. */
  rotation: number;
  /** From PDF user space to points from the top left corner of the page as shown. */
  toShown: Matrix;
  /** Values of the page's form fields; where links lead; what comments say. Points, as shown. */
  fields: ShownValue[];
  links: PageLink[];
  notes: { text: string; box: Box }[];
}

/** What is read of a page once, however many ask for it while the page is open. */
export function oncePerPage<T extends object>(read: (page: PdfPage) => T): (page: PdfPage) => T {
  const known = new WeakMap<PdfPage, T>();
  return (page) => {
    const value = known.get(page) ?? read(page);
    known.set(page, value);
    return value;
  };
}

export interface PdfDocument {
  pageCount: number;
  /** Opens a page by index from 0 for `use`. @throws JobFailure (corrupted) when the page cannot be opened */
  withPage<T>(index: number, use: (page: PdfPage) => T): T;
  /** The files inside the document. */
  attachments(): Attachment[];
}

const noBox = (): Box => ({ left: 0, top: 0, right: 0, bottom: 0 });

/** The upright box around a box after a transform. @param into is filled and given back */
export function transformBox(
  { a, b, c, d, e, f }: Matrix,
  left: number,
  bottom: number,
  right: number,
  top: number,
  into: Box = noBox(),
): Box {
  into.left = Math.min(a * left, a * right) + Math.min(c * bottom, c * top) + e;
  into.right = Math.max(a * left, a * right) + Math.max(c * bottom, c * top) + e;
  into.top = Math.min(b * left, b * right) + Math.min(d * bottom, d * top) + f;
  into.bottom = Math.max(b * left, b * right) + Math.max(d * bottom, d * top) + f;
  return into;
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

const isOnPage = ({ left, top, right, bottom }: Box, width: number, height: number): boolean =>
  right >= 0 && left <= width && bottom >= 0 && top <= height;

function withPage<T>(pdfium: Pdfium, open: OpenDocument, index: number, use: (page: PdfPage) => T): T {
  const { call } = pdfium;
  let handle = loadPage(pdfium, open.document, index);
  try {
    // Flattening turns form fields, stamps and typed notes into content and takes all annotations away.
    const { values, links, notes, showText } = readAnnotations(pdfium, open, handle);
    if (showText && call.FPDFPage_Flatten(handle, FLATTEN_FOR_DISPLAY) === FLATTENED) {
      const before = handle;
      // Fonts and pictures that a page holds are not read again while it is open.
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
 * Whether all that there is to see is made by an XFA processor: the file's own page then says only "please wait". A file
 * that also has fields on its pages can be read.
 */
function isUnreadableForm(pdfium: Pdfium, document: number): boolean {
  const { call } = pdfium;
  if (call.FPDF_GetFormType(document) !== DYNAMIC_XFA || call.FPDF_GetPageCount(document) !== 1) return false;
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
  layers: LayerWatch | undefined;
  ligatures: Ligatures;
}

function withLoaded<T>(
  pdfium: Pdfium,
  { data, bytes, layers }: { data: number; bytes: Uint8Array; layers: LayerWatch | undefined },
  use: (document: PdfDocument) => T,
): T {
  const { call } = pdfium;
  const document = call.FPDF_LoadMemDocument(data, bytes.length, 0);
  if (document === 0) {
    const reason = call.FPDF_GetLastError();
    if (reason === ERROR_PASSWORD) throw new JobFailure(JOB_SENTENCES.password);
    if (reason === ERROR_SECURITY) throw new JobFailure(JOB_SENTENCES.encrypted);
    throw corrupted();
  }
  const ligatures = new Ligatures(bytes);
  try {
    if (isUnreadableForm(pdfium, document)) throw new JobFailure(DYNAMIC_FORM);
    return withForm(pdfium, document, (form) =>
      use({
        pageCount: call.FPDF_GetPageCount(document),
        withPage: (index, usePage) => withPage(pdfium, { document, form, layers, ligatures }, index, usePage),
        attachments: () => readAttachments(pdfium, document),
      }),
    );
  } finally {
    call.FPDF_CloseDocument(document);
  }
}

/**
 * Opens a PDF for `use`, which must be done with it when it returns. A file that only its owner's password protects
 * opens.
 * @param layers of a document that hides layers
 * @throws JobFailure: password protected; encrypted in an unknown way; a form without pages; corrupted, also when pdfium
 * itself fails
 */
export async function withPdf<T>(
  bytes: Uint8Array,
  use: (document: PdfDocument) => T,
  layers?: LayerWatch,
): Promise<T> {
  const pdfium = await loadPdfium();
  try {
    return withMemory(pdfium, Math.max(bytes.length, 1), (data) => {
      pdfium.bytes().set(bytes, data);
      return withLoaded(pdfium, { data, bytes, layers }, use);
    });
  } catch (error) {
    if (!isTrap(error)) throw error;
    discardPdfium();
    throw corrupted(error);
  }
}
