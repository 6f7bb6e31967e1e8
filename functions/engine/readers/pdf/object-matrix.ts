/** Transforms of page objects (PDF 32000-1, 8.3.3), concatenated. */

import type { Matrix } from "./matrix.ts";
import type { Pdfium } from "./pdfium.ts";

/** Applies `inner`, then `outer`. */
const concatMatrices = (inner: Matrix, outer: Matrix): Matrix => ({
  a: inner.a * outer.a + inner.b * outer.c,
  b: inner.a * outer.b + inner.b * outer.d,
  c: inner.c * outer.a + inner.d * outer.c,
  d: inner.c * outer.b + inner.d * outer.d,
  e: inner.e * outer.a + inner.f * outer.c + outer.e,
  f: inner.e * outer.b + inner.f * outer.d + outer.f,
});

/**
 * Matrix from a page object's space to the target space of `outer`; `outer` itself for an object without a matrix.
 * @param scratch 24 bytes of pdfium's memory
 */
export function objectMatrix(pdfium: Pdfium, scratch: number, object: number, outer: Matrix): Matrix {
  if (pdfium.call.FPDFPageObj_GetMatrix(object, scratch) === 0) return outer;
  const view = pdfium.view();
  const at = (index: number): number => view.getFloat32(scratch + 4 * index, true);
  return concatMatrices({ a: at(0), b: at(1), c: at(2), d: at(3), e: at(4), f: at(5) }, outer);
}
