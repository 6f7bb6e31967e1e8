/** The text that stands inside a box on a page, by pdfium's own words and not by our layout. */

import type { Matrix } from "../../functions/engine/readers/pdf/matrix.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import { withMemory } from "../../functions/engine/readers/pdf/pdfium.ts";
import type { Box } from "../../functions/ports/layout.ts";

const MOST_CHARACTERS = 2_000;
/** A box ends where its letters do; a hair more keeps rounding from cutting the last one. */
const HAIR_POINTS = 0.5;

/** From points of the page as shown back to PDF user space. */
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
        return withMemory(pdfium, MOST_CHARACTERS * 2, (buffer) => {
          const units = call.FPDFText_GetBoundedText(
            text,
            Math.min(x1, x2) - HAIR_POINTS,
            Math.max(y1, y2) + HAIR_POINTS,
            Math.max(x1, x2) + HAIR_POINTS,
            Math.min(y1, y2) - HAIR_POINTS,
            buffer,
            MOST_CHARACTERS,
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
