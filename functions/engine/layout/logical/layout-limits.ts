/** Size limits of a layout. Readers and extraction hold a whole layout in one process of a few hundred megabytes. */
import { JobFailure } from "../../../ports/errors.ts";

/** About 6 MB of prose. */
export const MAX_WORDS = 1_000_000;
/** A cell takes three times the memory of a word, even when empty. */
export const MAX_CELLS = 300_000;
export const MAX_PAGES = 100_000;

/** The failure of a document over a limit. @param what the plural noun of the counted things */
export const limitFailure = (what: string): JobFailure =>
  new JobFailure(`Processing failed: The document has more ${what} than can be processed`);
