/** Fills forms in tests, and looks at what they hold and show. */
import {
  decodePDFRawStream,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";
import { drawWithPdfium } from "../../bench/templates/draw-with-pdfium.ts";
import { fillForm } from "../../functions/engine/templates/pdf/fill-form.ts";
import type { FillRequest } from "../../functions/engine/templates/template.ts";
import { widgetNumber } from "./hand-form.ts";

const WHITE = 255;
/** Grey above which a pixel is no ink. */
const LIGHT = 200;

/** Fills a form; anything but the values has its default. */
export async function fill(form: Uint8Array, fields: FillRequest["fields"], options: Partial<FillRequest> = {}) {
  return fillForm(form, {
    images: new Map(),
    flatten: false,
    missingIsError: false,
    ignoreUnknown: false,
    ...options,
    fields,
  });
}

/** A file's objects. */
export class Objects {
  readonly #document: PDFDocument;

  private constructor(document: PDFDocument) {
    this.#document = document;
  }

  static async of(bytes: Uint8Array): Promise<Objects> {
    return new Objects(await PDFDocument.load(bytes, { updateMetadata: false, preserveXFA: true }));
  }

  get catalog(): PDFDict {
    return this.#document.catalog;
  }

  object(number: number): PDFObject | undefined {
    return this.#document.context.lookup(PDFRef.of(number));
  }

  /** Follows keys from a widget of a hand-made form. */
  at(widget: number, ...keys: string[]): PDFObject | undefined {
    let found = this.object(widgetNumber(widget));
    for (const key of keys) {
      if (found instanceof PDFStream) found = found.dict;
      found = found instanceof PDFDict ? found.lookup(PDFName.of(key)) : undefined;
    }
    return found;
  }

  /** An entry of a widget as PDF syntax. */
  text(widget: number, ...keys: string[]): string {
    return String(this.at(widget, ...keys));
  }

  /** The operators of a widget's normal appearance, or of one of its states. */
  operators(widget: number, state?: string): string {
    const stream = state === undefined ? this.at(widget, "AP", "N") : this.at(widget, "AP", "N", state);
    if (!(stream instanceof PDFRawStream)) throw new TypeError("The widget has no such appearance");
    return Buffer.from(decodePDFRawStream(stream).decode()).toString("latin1");
  }
}

/** Pixels that are not white in a rectangle of a hand-made form's page, of 400 × 400 points, as pdfium draws it. */
export async function ink(
  bytes: Uint8Array,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
): Promise<number> {
  const [page] = await drawWithPdfium(bytes);
  if (page === undefined) throw new TypeError("The file has no page");
  let dark = 0;
  for (let y = Math.max(0, page.height - y1); y < page.height - y0; y += 1) {
    for (let x = x0; x < x1; x += 1) if ((page.grey[y * page.width + x] ?? WHITE) < LIGHT) dark += 1;
  }
  return dark;
}
