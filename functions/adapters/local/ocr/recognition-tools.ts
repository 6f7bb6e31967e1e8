/** Operations of a recognition pass, and Tesseract's settings for it. */
import type { GrayImage } from "../../../engine/imaging/gray-image.ts";
import type { Preparation, PreparedPicture } from "../../../engine/imaging/prepare-picture.ts";
import type { ReadWord } from "./tesseract-tsv.ts";

/** Tesseract's page segmentation modes (tesseract --help-psm). */
export const MODES = { page: 3, block: 6, sparse: 11 } as const;

export type Mode = (typeof MODES)[keyof typeof MODES];

/** Tesseract's variables (tesseract --print-parameters), the same in every pass; they save time and change no word. */
export const VARIABLES = {
  tessedit_do_invert: "0", // white on black was turned when the picture was prepared
  paragraph_text_based: "0", // lines are arranged by our own rules
} as const;

/** Operations of a pass; the engine chooses where they run. */
export interface RecognitionTools {
  /**
   * Least share of the pieces of ink that no word covers for a second pass. It counts pieces, not ink: a drawing has
   * more ink than all the letters around it.
   */
  readonly minStrayShare: number;
  /** The same for pieces beside read words and a pass along their rows; a column of such pieces is always worth one. */
  readonly minRowStrayShare: number;
  /** True if there is time for another pass, which takes `passes` times as long as the longest one so far. */
  hasTime(passes: number): boolean;
  prepare(preparation: Preparation, maxDpi: number): Promise<PreparedPicture>;
  recognize(gray: GrayImage, dpi: number, mode: Mode): Promise<ReadWord[]>;
  /** Reads a picture with the second recogniser; undefined where it fails or has no time. Absent: it is off. */
  lookAgain?(gray: GrayImage, dpi: number): Promise<ReadWord[] | undefined>;
}
