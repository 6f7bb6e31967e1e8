/** The text inside a box of a page, from pdfium's own words instead of our layout. */

import type { Matrix } from "../../functions/engine/readers/pdf/matrix.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import { withMemory } from "../../functions/engine/readers/pdf/pdfium.ts";
import type { Box } from "../../functions/ports/layout.ts";

const MAX_CHARACTERS = 2_000;
/** A margin against rounding, which would cut the last letter. */
const BOX_MARGIN_POINTS = 0.5;

/** Points of the page as shown → PDF user space. */
function toUserSpace({ a, b, c, d, e, f }: Matrix, x: number, y: number): [number, number] {
  const determinant = a * d - b * c;
  return [(d * (x - e) - c * (y - f)) / determinant, (a * (y - f) - b * (x - e)) / determinant];
}

/** @param box inches from the top left corner of the page as shown */
export function cutText(bytes: Uint8Array, pageNumber: number, box: Box): Promise<string> {
  return withPdf(bytes, (document) =>
    document.withPage(pageNumber - 1, ({ pdfium, handle, toShown }) => {
      const { call } = pdfium;
      const [x1, y1] = toUserSpace(toShown, box.left * 72, box.top * 72);
      const [x2, y2] = toUserSpace(toShown, box.right * 72, box.bottom * 72);
      const text = call.FPDFText_LoadPage(handle);
      try {
        return withMemory(pdfium, MAX_CHARACTERS * 2, (buffer) => {
          const units = call.FPDFText_GetBoundedText(
            text,
            Math.min(x1, x2) - BOX_MARGIN_POINTS,
            Math.max(y1, y2) + BOX_MARGIN_POINTS,
            Math.max(x1, x2) + BOX_MARGIN_POINTS,
            Math.min(y1, y2) - BOX_MARGIN_POINTS,
            buffer,
            MAX_CHARACTERS,
          );
          return Buffer.from(pdfium.bytes().slice(buffer, buffer + units * 2))
            .toString("utf16le")
            .replaceAll(/[\s\0]+/g, " ")
            .trim();
        });
      } finally {
        call.FPDFText_ClosePage(text);
      }
    }),
  );
}
