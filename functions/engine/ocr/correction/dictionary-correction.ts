/**
 * Corrections without a model: a word that was recognised with little confidence and is in no dictionary becomes the one
 * that is, where signs that recognition takes for one another lead to it. Numbers are never made other numbers.
 */
import type { Layout, Word } from "../../../ports/layout.ts";
import { pageWords } from "../../layout/page-words.ts";
import { LEXICON } from "../quality/lexicon.ts";

/** Recognised with less, a word may be corrected; with more, it teaches the document's own words. */
const DOUBTFUL = 0.75;
const SURE = 0.9;
const LEAST_LETTERS = 3;
/** A word of letters alone may be one that no dictionary here has: short ones are left as they are. */
const LEAST_OF_LETTERS = 5;
/** A word of the document itself is longer, so that chance does not make one of another. */
const LEAST_OWN = 5;
const LONGEST = 30;
/** Exchanges in one word. */
const EXCHANGES = 2;
const MOST_TRIED = 400;

/** What recognition writes, and what was printed. */
const CONFUSIONS: readonly [read: string, printed: string][] = [
  ["0", "o"],
  ["1", "l"],
  ["1", "i"],
  ["|", "l"],
  ["|", "i"],
  ["!", "l"],
  ["!", "i"],
  ["5", "s"],
  ["$", "s"],
  ["8", "b"],
  ["6", "b"],
  ["2", "z"],
  ["9", "g"],
  ["4", "a"],
  ["@", "a"],
  ["€", "e"],
  ["¢", "c"],
  ["rn", "m"],
  ["m", "rn"],
  ["vv", "w"],
  ["cl", "d"],
  ["d", "cl"],
  ["ii", "u"],
  ["li", "h"],
  ["h", "li"],
  ["l", "i"],
  ["i", "l"],
  ["l", "t"],
  ["t", "l"],
  ["f", "t"],
  ["t", "f"],
  ["c", "e"],
  ["e", "c"],
  ["o", "e"],
  ["e", "o"],
  ["a", "o"],
  ["o", "a"],
  ["u", "n"],
  ["n", "u"],
  ["u", "v"],
  ["v", "u"],
  ["h", "b"],
  ["b", "h"],
  ["q", "g"],
  ["g", "q"],
  ["y", "v"],
];

/** The words of a document that were recognised surely, or that the file holds as text; in lower case. */
export function vocabularyOf(layout: Pick<Layout, "pages">): Set<string> {
  const own = new Set<string>();
  for (const { text, source, confidence = 1 } of layout.pages.flatMap(pageWords)) {
    const word = coreOf(text).core.toLowerCase();
    const sure = source !== "ocr" || confidence >= SURE;
    if (sure && word.length >= LEAST_OWN && /^\p{L}+$/u.test(word)) own.add(word);
  }
  return own;
}

/** A word without the signs around it. */
function coreOf(text: string): { before: string; core: string; after: string } {
  const before = /^[^\p{L}\p{N}|!$@€¢]*/u.exec(text)?.[0] ?? "";
  const rest = text.slice(before.length);
  const after = /[^\p{L}\p{N}]*$/u.exec(rest)?.[0] ?? "";
  return { before, core: rest.slice(0, rest.length - after.length), after };
}

/** Every spelling that some exchanges make, those with fewer first. */
function* spellings(word: string): Generator<string> {
  const seen = new Set([word]);
  let level = [word];
  for (let round = 0; round < EXCHANGES; round += 1) {
    const next: string[] = [];
    for (const spelling of level) {
      for (const [read, printed] of CONFUSIONS) {
        for (let at = spelling.indexOf(read); at >= 0; at = spelling.indexOf(read, at + 1)) {
          const changed = spelling.slice(0, at) + printed + spelling.slice(at + read.length);
          if (seen.has(changed) || seen.size > MOST_TRIED) continue;
          seen.add(changed);
          next.push(changed);
        }
      }
    }
    yield* next;
    level = next;
  }
}

/** The case of the word as it was read: all capitals, a capital first, small. */
function inCaseOf(word: string, read: string): string {
  const letters = read.replace(/[^\p{L}]/gu, "");
  if (letters.length > 1 && letters === letters.toUpperCase()) return word.toUpperCase();
  const first = read.charAt(0);
  const capital = /\p{Lu}/u.test(first) || (!/\p{L}/u.test(first) && /^\p{Lu}/u.test(letters));
  return capital ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

/**
 * The word that was printed, as far as a dictionary and the document's own words tell.
 * @returns null where the word stays as it is
 */
export function correctedWord({ text, source, confidence = 1 }: Word, own: ReadonlySet<string>): string | null {
  if (source !== "ocr" || confidence >= DOUBTFUL) return null;
  const { before, core, after } = coreOf(text);
  const folded = core.toLowerCase();
  const letters = folded.replace(/[^\p{L}]/gu, "").length;
  // What is mostly digits is a number or a code: no dictionary knows it.
  if (core.length < LEAST_LETTERS || core.length > LONGEST || letters * 2 < core.length) return null;
  if (letters === core.length && core.length < LEAST_OF_LETTERS) return null;
  if (LEXICON.has(folded) || own.has(folded)) return null;
  const isKnown = (word: string): boolean =>
    (word.length >= LEAST_LETTERS && LEXICON.has(word)) || (word.length >= LEAST_OWN && own.has(word));
  for (const spelling of spellings(folded)) {
    if (isKnown(spelling)) return before + inCaseOf(spelling, core) + after;
  }
  return null;
}
