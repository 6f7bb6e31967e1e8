/** A passage: a piece of a document's text that is searched and quoted as a whole. */
import type { Box } from "../../ports/layout.ts";

/**
 * Most characters of a passage of running text: about 170 words, a paragraph or two. Longer passages mix subjects, so
 * that a question meets them less surely; shorter ones lose what their sentences refer to (npm run bench -- search).
 */
export const MAX_PASSAGE_CHARS = 1_000;

/**
 * Most characters of a table that stays whole: five such passages, the usual number of a search, still fit into the
 * 20,000 characters of a finding that a model is given.
 */
export const MAX_TABLE_CHARS = 4_000;

export interface Passage {
  /** From 1. */
  page: number;
  /** The box of its words; inches from the top left corner of the page as shown. */
  bbox: Box;
  text: string;
  /** The headings that it stands under, the document's first. */
  headings: string[];
  /** Present for a part of a table that is longer than a passage; the text repeats the table's header. */
  part?: { number: number; of: number };
}
