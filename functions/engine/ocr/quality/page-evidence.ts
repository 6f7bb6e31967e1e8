/** Evidence on the text layer of a page. */
import type { Box } from "../../../ports/layout.ts";

/** Facts about a page beside its text, used to judge whether its text layer can be trusted. */
export interface TextLayerEvidence {
  /** Share of the page's area under pictures, 0 to 1. */
  pictureCover: number;
  /** Share of the text's characters drawn invisibly (text rendering mode 3, PDF 32000-1, 9.3.6), 0 to 1. */
  hiddenShare: number;
  /** Share of characters without a meaning: no Unicode value, a private one, or a replacement character, 0 to 1. */
  unmappedShare: number;
  /** Pixels of the largest picture on the page; 0 without one. */
  largestPicture: number;
  /** True when anything is drawn on the page: text, a picture or a path. */
  drawn: boolean;
  /** Estimate of letters in pictures or drawn outlines without text; absent for none, and for a page without text. */
  unreadLetters?: number;
  /**
   * Boxes of runs of characters without a meaning, unmapped or of a font whose characters form no words, in inches from
   * the top left corner of the page as shown. Bullets and
   * icons stand alone and are not included. Absent for none.
   */
  garbled?: Box[];
  /** True once the page has been recognised; `unreadLetters` then counts the letters that OCR did not find. */
  looked?: true;
}

/** An A0 sheet at 350 dpi. Decoding more takes too long. Images as documents have a limit of their own. */
export const MAX_PICTURE_PIXELS = 200_000_000;
