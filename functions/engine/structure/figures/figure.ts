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
  /** Caption, such as `Figure 3: …`. */
  caption?: string;
  /** A sentence or two near it. */
  surroundingText?: string;
}

/** Limits of one document; later figures beyond them are left out. */
export const FIGURE_LIMITS = {
  figures: 500,
  /** All images together, encoded. */
  bytes: 50_000_000,
  /** All images together. */
  pixels: 100_000_000,
  /** One image; a larger one is made smaller. */
  pixelsEach: 16_000_000,
} as const;

/** Counts figures against the limits of a document. */
export class FigureBudget {
  #figures = 0;
  #bytes = 0;
  #pixels = 0;

  /** Counts a figure. @returns false, without counting it, where it exceeds a limit */
  take({ width, height, bytes }: Pick<Figure, "width" | "height" | "bytes">): boolean {
    const pixels = width * height;
    if (this.#figures + 1 > FIGURE_LIMITS.figures || this.#bytes + bytes.length > FIGURE_LIMITS.bytes) return false;
    if (this.#pixels + pixels > FIGURE_LIMITS.pixels) return false;
    this.#figures += 1;
    this.#bytes += bytes.length;
    this.#pixels += pixels;
    return true;
  }

  /** True if nothing more fits. */
  get spent(): boolean {
    return this.#figures >= FIGURE_LIMITS.figures || this.#bytes >= FIGURE_LIMITS.bytes;
  }
}
