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
}
