import type { Box } from "../../../ports/layout.ts";

/** What a reader saw of a page beside its text, from which it is judged whether that text can be trusted. */
export interface PageSigns {
  /** Share of the page's area that pictures cover, 0 to 1. */
  pictureCover: number;
  /** Share of the text's characters that are drawn invisibly (text rendering mode 3, PDF 32000-1, 9.3.6), 0 to 1. */
  hiddenShare: number;
  /** Share of the characters without a meaning: no Unicode value, a private one, or a replacement, 0 to 1. */
  unmappedShare: number;
  /** Pixels of the largest picture on the page; 0 without one. */
  largestPicture: number;
  /** Whether anything is drawn on the page: text, a picture or a path. */
  drawn: boolean;
  /**
   * About how many letters stand in pictures or as drawn outlines where the text has no characters; absent for none, and
   * for a page without text.
   */
  unreadLetters?: number;
  /**
   * Where runs of characters have no meaning: inches from the top left corner of the page as shown. Bullets and icons
   * stand alone and are none. Absent for none.
   */
  garbled?: Box[];
  /** The page was recognised since; what is told of its letters is what was not found. */
  looked?: true;
}

/** An A0 sheet at 350 dpi; decoding more takes longer than anybody waits. Images as documents have a limit of their own. */
export const MOST_PICTURE_PIXELS = 200_000_000;
