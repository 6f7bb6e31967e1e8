/** The objects of a page (fpdf_edit.h), forms within forms included: listed once for all who look at them. */
import { objectMatrix } from "./object-matrix.ts";
import { type Matrix, oncePerPage, type PdfPage } from "./pdf-document.ts";
import { withMemory } from "./pdfium.ts";

/** FPDF_PAGEOBJ_*. */
export const TEXT = 1;
export const PATH = 2;
export const IMAGE = 3;
export const SHADING = 4;
const FORM = 5;
/** What a hostile page draws beyond is not looked at; a drawing of a million strokes is a map or a plan. */
const MOST_OBJECTS = 50_000;
/** Forms within forms; pdfium itself gives up at about as many. */
const DEEPEST = 12;
const MATRIX_BYTES = 24;

/** What objects stand in: the page, or a form. */
export interface Scope {
  /** From its space to the page as shown. */
  matrix: Matrix;
  /** The form among the objects around it; absent for the page. */
  form?: PlacedObject;
}

export interface PlacedObject {
  handle: number;
  type: number;
  /** Its position in its scope. */
  index: number;
  scope: Scope;
}

function list(page: PdfPage): PlacedObject[] {
  const { pdfium, handle: open, toShown } = page;
  const { call } = pdfium;
  const found: PlacedObject[] = [];
  const add = (scope: Scope, depth: number, count: number, at: (index: number) => number, scratch: number): void => {
    for (let index = 0; index < count && found.length < MOST_OBJECTS; index += 1) {
      const handle = at(index);
      const type = handle === 0 ? 0 : call.FPDFPageObj_GetType(handle);
      const object = { handle, type, index, scope };
      found.push(object);
      if (type !== FORM || depth >= DEEPEST) continue;
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

/** The page's objects in content order, forms before what is in them; of 50,000 and more the first ones. */
export const objectsOf: (page: PdfPage) => readonly PlacedObject[] = oncePerPage(list);

/** Positions of the forms around an object, the outermost first, and its own. */
export function pathOf({ index, scope: { form } }: PlacedObject): number[] {
  return form === undefined ? [index] : [...pathOf(form), index];
}
