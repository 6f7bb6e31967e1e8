/** The objects of a page (fpdf_edit.h), including nested forms, listed once for all readers. */

import type { Matrix } from "./matrix.ts";
import { objectMatrix } from "./object-matrix.ts";
import { oncePerPage, type PdfPage } from "./pdf-page.ts";
import { withMemory } from "./pdfium.ts";

/** FPDF_PAGEOBJ_*. */
export const OBJECT_TEXT = 1;
export const OBJECT_PATH = 2;
export const OBJECT_IMAGE = 3;
export const OBJECT_SHADING = 4;
const OBJECT_FORM = 5;
/** Limit of objects; a larger drawing is a map or a plan. */
const MAX_OBJECTS = 50_000;
/** Limit for nested forms; pdfium itself stops at about this depth. */
const MAX_FORM_DEPTH = 12;
const MATRIX_BYTES = 24;

/** The container of objects: the page, or a form. */
export interface Scope {
  /** From its space to the page as shown. */
  matrix: Matrix;
  /** The form as an object of its own container; absent for the page. */
  form?: PlacedObject;
}

export interface PlacedObject {
  handle: number;
  type: number;
  /** Index in its scope. */
  index: number;
  scope: Scope;
}

function listObjects(page: PdfPage): PlacedObject[] {
  const { pdfium, handle: open, toShown } = page;
  const { call } = pdfium;
  const found: PlacedObject[] = [];
  const add = (scope: Scope, depth: number, count: number, at: (index: number) => number, scratch: number): void => {
    for (let index = 0; index < count && found.length < MAX_OBJECTS; index += 1) {
      const handle = at(index);
      const type = handle === 0 ? 0 : call.FPDFPageObj_GetType(handle);
      const object = { handle, type, index, scope };
      found.push(object);
      if (type !== OBJECT_FORM || depth >= MAX_FORM_DEPTH) continue;
      const inner = { matrix: objectMatrix(pdfium, scratch, handle, scope.matrix), form: object };
      const size = call.FPDFFormObj_CountObjects(handle);
      add(inner, depth + 1, size, (own) => call.FPDFFormObj_GetObject(handle, own), scratch);
    }
  };
  withMemory(pdfium, MATRIX_BYTES, (scratch) => {
    const count = call.FPDFPage_CountObjects(open);
    add({ matrix: toShown }, 0, count, (index) => call.FPDFPage_GetObject(open, index), scratch);
  });
  return found;
}

/** The page's objects in content order, each form before its content; the first 50,000 at most. */
export const objectsOf: (page: PdfPage) => readonly PlacedObject[] = oncePerPage(listObjects);

/** Indices of the enclosing forms, the outermost first, and of the object itself. */
export function objectPath({ index, scope: { form } }: PlacedObject): number[] {
  return form === undefined ? [index] : [...objectPath(form), index];
}
