/** Lines of running prose. A word inside of a sentence is no label, and a line of a paragraph is no value. */

import type { Segment } from "../../structure/view/tokens.ts";
import { oncePer } from "../../values/lazily.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";

/** Words that carry grammar in any language: sentences are full of them, labels and values are not. */
const STOP_WORDS = new Set(wordsOf(({ grammar }) => grammar.stopWords));

/**
 * Shares of a paragraph's words that carry grammar, and that begin in lower case. Sentences have 0.3 to 0.5 and 0.6 to
 * 0.95 of them (0.4 where nouns are capitals), headings, labels and addresses below 0.2 and 0.3.
 */
const MIN_STOP_SHARE = 0.2;
const MIN_LOWER_SHARE = 0.4;
/** Words on a line of a paragraph; labels with their values are shorter. */
const MIN_WORDS_ON_LINE = 4.5;
/** Words from which a paragraph of a single line, and of several, is prose. */
const MIN_WORDS_ALONE = 8;
const MIN_WORDS = 10;

const wordsIn = ({ tokens }: Segment): string[] =>
  tokens.flatMap(({ text }) => /\p{L}+(?:['’]\p{L}+)?/u.exec(text)?.[0] ?? []);

/** The lines of one block as sentences. */
function isProse(lines: readonly Segment[]): boolean {
  const words = lines.flatMap(wordsIn);
  if (words.length < (lines.length === 1 ? MIN_WORDS_ALONE : MIN_WORDS)) return false;
  if (words.length < MIN_WORDS_ON_LINE * (lines.length - 1)) return false;
  const shareOf = (count: (word: string) => boolean): number => words.filter(count).length / words.length;
  return (
    shareOf((word) => STOP_WORDS.has(word.toLowerCase())) >= MIN_STOP_SHARE &&
    shareOf((word) => /^\p{Ll}/u.test(word)) >= MIN_LOWER_SHARE
  );
}

/** Lines of a paragraph begin this far from one another at most: the first one may be indented. */
const MAX_INDENT_INCHES = 0.5;
const MAX_LINE_STEP_HEIGHTS = 2.2;

/** A line that a label with a colon heads: `Product name: Lemon Cleaner 500`. Labels have a few words. */
const HEADED_LINE = /^(?:\p{Ll}?\p{Lu}|\d)[^:]{0,40}:\s/u;

/** True if a line continues a paragraph of its block. */
function continues({ box, row, text }: Segment, above: Segment | undefined): boolean {
  if (above === undefined || row === above.row || HEADED_LINE.test(text)) return false;
  if (Math.abs(box.left - above.box.left) > MAX_INDENT_INCHES) return false;
  const step = box.top - above.box.top;
  return step > 0 && step < MAX_LINE_STEP_HEIGHTS * Math.max(box.bottom - box.top, above.box.bottom - above.box.top);
}

/** Lines of one block under one another; a table is one block with paragraphs in its cells. */
function paragraphsIn(segments: readonly Segment[]): Segment[][] {
  const paragraphs: Segment[][] = [];
  const open = new Map<unknown, Segment[][]>();
  for (const segment of segments) {
    const block = segment.tokens[0]?.block;
    const own = open.get(block)?.filter((lines) => segment.row - (lines.at(-1)?.row ?? 0) <= MAX_ROWS_OPEN) ?? [];
    const lines = own.find((one) => continues(segment, one.at(-1)));
    if (lines === undefined) paragraphs.push([segment]);
    else lines.push(segment);
    open.set(block, lines === undefined ? [...own, ...paragraphs.slice(-1)] : own);
  }
  return paragraphs;
}

/** Rows of a page below which a paragraph beside others goes on no more. */
const MAX_ROWS_OPEN = 4;

/** The paragraphs of running prose among the segments of a view, by each of their lines. */
export const proseIn = oncePer((segments: readonly Segment[]): ReadonlyMap<Segment, readonly Segment[]> => {
  const paragraphs = paragraphsIn(segments).filter(isProse);
  return new Map(paragraphs.flatMap((lines) => lines.map((line) => [line, lines] as const)));
});

/** Share of words in sentences; most documents of known languages in the seen sets of prose have it, and more. */
const MIN_PROSE_SHARE = 0.25;

/** The document tells in sentences: it is no form or list. */
export function isRunningText(segments: readonly Segment[]): boolean {
  const count = (lines: Iterable<Segment>): number => [...lines].reduce((sum, { tokens }) => sum + tokens.length, 0);
  return count(proseIn(segments).keys()) >= MIN_PROSE_SHARE * count(segments);
}
