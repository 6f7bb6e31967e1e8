/**
 * What a layout may hold. Past these it is no longer a document that anything can work on: its readers, and what takes
 * text and data out of it, hold all of it in one process of a few hundred megabytes.
 */
import { JobFailure } from "../../../ports/errors.ts";

/** Some 6 MB of prose. */
export const MOST_WORDS = 1_000_000;
/** A cell takes three times the room of a word, an empty one too. */
export const MOST_CELLS = 300_000;
export const MOST_PAGES = 100_000;

/** The failure of a document that has more of something than can be kept. */
export const tooMuch = (what: string): JobFailure =>
  new JobFailure(`Processing failed: The document has more ${what} than can be processed`);
