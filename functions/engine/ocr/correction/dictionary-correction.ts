/**
 * Corrects words without a model: a word that was recognised with little confidence and is in no dictionary becomes a
 * known one that differs by signs which recognition confuses. Numbers never become other numbers.
 */
import type { Layout, Word } from "../../../ports/layout.ts";
import { pageWords } from "../../layout/page-words.ts";
import { LEXICON } from "../quality/lexicon.ts";

/** Confidence below which a word may be corrected, and from which it joins the document's own words. */
const DOUBTFUL_CONFIDENCE = 0.75;
const SURE_CONFIDENCE = 0.9;
const MIN_WORD_LENGTH = 3;
/** Length of a corrected word of letters only, which may be a word that no dictionary here has. */
const MIN_LETTERS_ONLY_LENGTH = 5;
/** Length of the document's own words, so that chance does not turn one word into another. */
const MIN_OWN_WORD_LENGTH = 5;
const MAX_WORD_LENGTH = 30;
/** Exchanges in one word. */
const MAX_EXCHANGES = 2;
const MAX_SPELLINGS = 400;

/** Signs that recognition writes, and what was printed. */
const OCR_CONFUSIONS: readonly [read: string, printed: string][] = [
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

/** The document's own words, lower case: those that were recognised surely, or that the file holds as text. */
export function vocabularyOf(layout: Pick<Layout, "pages">): Set<string> {
  const own = new Set<string>();
  for (const { text, source, confidence = 1 } of layout.pages.flatMap(pageWords)) {
    const word = coreOf(text).core.toLowerCase();
    const sure = source !== "ocr" || confidence >= SURE_CONFIDENCE;
    if (sure && word.length >= MIN_OWN_WORD_LENGTH && /^\p{L}+$/u.test(word)) own.add(word);
  }
  return own;
}

/** Parts a word from the signs around it. */
function coreOf(text: string): { before: string; core: string; after: string } {
  const before = /^[^\p{L}\p{N}|!$@€¢]*/u.exec(text)?.[0] ?? "";
  const rest = text.slice(before.length);
  const after = /[^\p{L}\p{N}]*$/u.exec(rest)?.[0] ?? "";
  return { before, core: rest.slice(0, rest.length - after.length), after };
}

/** All spellings that exchanges make, those with fewer exchanges first. */
function* spellings(word: string): Generator<string> {
  const seen = new Set([word]);
  let level = [word];
  for (let round = 0; round < MAX_EXCHANGES; round += 1) {
    const next: string[] = [];
    for (const spelling of level) {
      for (const [read, printed] of OCR_CONFUSIONS) {
        for (let at = spelling.indexOf(read); at >= 0; at = spelling.indexOf(read, at + 1)) {
          const changed = spelling.slice(0, at) + printed + spelling.slice(at + read.length);
          if (seen.has(changed) || seen.size > MAX_SPELLINGS) continue;
          seen.add(changed);
          next.push(changed);
        }
      }
    }
    yield* next;
    level = next;
  }
}

/** Gives a word the case of the recognised one: all capitals, a capital first, small. */
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
  if (source !== "ocr" || confidence >= DOUBTFUL_CONFIDENCE) return null;
  const { before, core, after } = coreOf(text);
  const folded = core.toLowerCase();
  const letters = folded.replace(/[^\p{L}]/gu, "").length;
  // A word of mostly digits is a number or a code: no dictionary knows it.
  if (core.length < MIN_WORD_LENGTH || core.length > MAX_WORD_LENGTH || letters * 2 < core.length) return null;
  if (letters === core.length && core.length < MIN_LETTERS_ONLY_LENGTH) return null;
  if (LEXICON.has(folded) || own.has(folded)) return null;
  const isKnown = (word: string): boolean =>
    (word.length >= MIN_WORD_LENGTH && LEXICON.has(word)) || (word.length >= MIN_OWN_WORD_LENGTH && own.has(word));
  for (const spelling of spellings(folded)) {
    if (isKnown(spelling)) return before + inCaseOf(spelling, core) + after;
  }
  return null;
}
