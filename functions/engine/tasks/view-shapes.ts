/** Shapes of pictures of pages for recognition. */
import * as z from "zod";
import type { Line } from "../../ports/layout.ts";
import { count, share } from "./number-shapes.ts";
import { shaped } from "./shapes.ts";

export const ocrLevel = z.enum(["LOW", "DEFAULT", "PREMIUM"]);

const frame = z.object({
  width: z.number().positive(),
  height: z.number().positive(),
  rotation: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]).exactOptional(),
});

/** Members of an OcrView (ports/ocr.ts). */
export const view = {
  pageNumber: count,
  frame,
  strip: z
    .object({ index: count, count, page: frame, left: z.number().nonnegative(), top: z.number().nonnegative() })
    .exactOptional(),
  barcodes: z
    .array(
      z.object({
        kind: z.literal("barcode"),
        box: z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }),
        lines: shaped<Line[]>(z.array(z.unknown()).max(0)),
        format: z.string(),
        value: z.string(),
        confidence: share,
      }),
    )
    .exactOptional(),
  ink: z
    .object({ across: count.positive(), down: count.positive(), side: z.number().positive(), cells: z.base64() })
    .exactOptional(),
};
