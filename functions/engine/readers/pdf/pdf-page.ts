/** An open PDF page. */
import type { Box } from "../../../ports/layout.ts";
import type { ShownField } from "./form-field-values.ts";
import type { Ligatures } from "./ligatures.ts";
import type { Matrix } from "./matrix.ts";
import type { PageLink } from "./page-links.ts";
import type { Pdfium } from "./pdfium.ts";

/** Key of our own integer in the dictionaries of hidden layers. */
export const HIDDEN_LAYER_KEY = "SheafHidden";

/** Identifies a document's hidden layers: by our mark, or by these names, one character a byte. */
export type HiddenLayers = "marked" | ReadonlySet<string>;

/** Bytes of a layer's name that are compared. */
export const MAX_LAYER_NAME_BYTES = 200;

export interface PdfPage {
  pdfium: Pdfium;
  document: number;
  handle: number;
  /** Present for a document that hides layers (optional-content.ts). */
  layers: HiddenLayers | undefined;
  ligatures: Ligatures;
  /** Points, as shown. */
  width: number;
  height: number;
  /** Degrees clockwise: 0, 90, 180, 270. */
  rotation: number;
  /** From PDF user space to points from the top left corner of the page as shown. */
  toShown: Matrix;
  /** Form field values, links and comments of the page, in points as shown. */
  fields: ShownField[];
  links: PageLink[];
  notes: { text: string; box: Box }[];
}

/** Caches a reading of a page while the page is open. */
export function oncePerPage<T extends object>(read: (page: PdfPage) => T): (page: PdfPage) => T {
  const known = new WeakMap<PdfPage, T>();
  return (page) => {
    const value = known.get(page) ?? read(page);
    known.set(page, value);
    return value;
  };
}
