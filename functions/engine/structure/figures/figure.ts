/** Figures: the pictures and drawings of a document, each with its own image. */
import type { Box } from "../../../ports/layout.ts";

export interface Figure {
  /** `p3f2`: the second figure of page 3. The same for the same file. */
  id: string;
  /** From 1. */
  pageNumber: number;
  /** Inches from the top left corner of the page as shown; null where the format does not place it (Word, Excel). */
  bbox: Box | null;
  /** Pixels. */
  width: number;
  height: number;
  mimeType: "image/png" | "image/jpeg";
  bytes: Uint8Array;
  /** `Figure 3: …`, where one stands with it. */
  caption?: string;
  /** A sentence or two that stand near it. */
  surroundingText?: string;
}

/** Of one document; what goes beyond is left out, later pages first. */
export const FIGURE_LIMITS = {
  figures: 500,
  /** All images together, encoded. */
  bytes: 50_000_000,
  /** All images together. */
  pixels: 100_000_000,
  /** One image; a larger one is made smaller. */
  pixelsEach: 16_000_000,
} as const;

/** Counts what a document's figures take. */
export class FigureBudget {
  #figures = 0;
  #bytes = 0;
  #pixels = 0;

  /** Takes a figure in. @returns false, and leaves it, when it is too much */
  take({ width, height, bytes }: Pick<Figure, "width" | "height" | "bytes">): boolean {
    const pixels = width * height;
    if (this.#figures + 1 > FIGURE_LIMITS.figures || this.#bytes + bytes.length > FIGURE_LIMITS.bytes) return false;
    if (this.#pixels + pixels > FIGURE_LIMITS.pixels) return false;
    this.#figures += 1;
    this.#bytes += bytes.length;
    this.#pixels += pixels;
    return true;
  }

  /** Nothing more fits. */
  get spent(): boolean {
    return this.#figures >= FIGURE_LIMITS.figures || this.#bytes >= FIGURE_LIMITS.bytes;
  }
}
