/**
 * Corrects one page's recognised text, by a model's proposal or by a dictionary. A proposal has a budget of edits:
 * changes beyond it are refused and noted, so that a page is corrected and never rewritten. The source of each word of
 * the corrected text is kept. Pure.
 */
import type { Page, Word } from "../../../ports/layout.ts";
import { blockLines } from "../../layout/page-words.ts";
import { correctedWord } from "./dictionary-correction.ts";
import { alignWords, editDistance, type Hunk } from "./word-alignment.ts";

export interface Change {
  from: string;
  to: string;
  /** References of its words: `p1/w17`. */
  refs: string[];
  /** Reason for refusing it; absent where it was made. */
  refused?: string;
}

/** A piece of the corrected text and its words on the page; UTF-16 code units. */
export interface MappedWord {
  start: number;
  length: number;
  refs: string[];
}

export interface CorrectedPage {
  /** From 1. */
  pageNumber: number;
  content: string;
  changes: Change[];
  words: MappedWord[];
}

/** Edits of one change: as a share of the longer text's characters, and those always allowed. */
const MAX_CHANGE_EDIT_SHARE = 0.4;
const MIN_CHANGE_EDITS = 1;
/** Edits of all changes of a page: as a share of its characters, and those always allowed. */
const MAX_PAGE_EDIT_SHARE = 0.15;
const MIN_PAGE_EDITS = 12;
/** Confidence from which a recognised number is not changed. */
const SURE_NUMBER_CONFIDENCE = 0.9;
const MAX_CHANGES = 2_000;
/** Characters of one change that are compared. */
const MAX_CHANGE_LENGTH = 400;

interface PageWord {
  word: Word;
  ref: string;
  /** Separator before it: nothing, a space, a line or a block. */
  gap: string;
}

/** The words of a page in reading order, with the separators between them. */
function wordsWithGaps(page: Page): PageWord[] {
  const pieces: PageWord[] = [];
  for (const block of page.blocks) {
    let gap = pieces.length === 0 ? "" : "\n\n";
    for (const line of blockLines(block)) {
      for (const word of line.words) {
        pieces.push({ word, ref: `p${page.number}/w${pieces.length}`, gap });
        gap = " ";
      }
      gap = pieces.length === 0 ? "" : gap === "\n\n" ? gap : "\n";
    }
  }
  return pieces;
}

const textOf = (pieces: readonly PageWord[]): string => pieces.map(({ gap, word }) => gap + word.text).join("");

/** The text of a page that is shown for correction, and whether any of it is recognised. */
export function pageToCorrect(page: Page): { text: string; recognised: boolean } {
  const pieces = wordsWithGaps(page);
  return { text: textOf(pieces), recognised: pieces.some(({ word }) => word.source === "ocr") };
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** Reason for refusing a change; undefined where it may be made. */
function refusalOf(before: readonly PageWord[], to: string, edits: number, left: number): string | undefined {
  const from = before.map(({ word }) => word.text).join(" ");
  if (before.length === 0) return "adds words that the page does not have";
  if (to === "") return "leaves words out";
  if (before.every(({ word }) => word.source !== "ocr"))
    return "is of words that were not recognised but are in the file";
  const sure = before.some(({ word }) => (word.confidence ?? 1) >= SURE_NUMBER_CONFIDENCE && /\d/.test(word.text));
  if (sure && digitsOf(from) !== digitsOf(to)) return "changes a number that was recognised surely";
  const longer = Math.max(from.length, to.length);
  if (edits > Math.max(MIN_CHANGE_EDITS, longer * MAX_CHANGE_EDIT_SHARE)) return "is another text, not a correction";
  if (edits > left) return "goes beyond what may be changed on a page";
  return undefined;
}

class ContentWriter {
  content = "";
  readonly words: MappedWord[] = [];

  add(gap: string, text: string, refs: string[]): void {
    this.content += gap;
    this.words.push({ start: this.content.length, length: text.length, refs });
    this.content += text;
  }
}

/** The page with the changes that are within its budget. */
function applyChanges(
  page: Page,
  pieces: readonly PageWord[],
  hunks: readonly Hunk[],
  words: readonly string[],
): CorrectedPage {
  const writer = new ContentWriter();
  const changes: Change[] = [];
  let left = Math.max(MIN_PAGE_EDITS, textOf(pieces).length * MAX_PAGE_EDIT_SHARE);
  const keep = (some: readonly PageWord[]): void => {
    for (const { gap, word, ref } of some) writer.add(gap, word.text, [ref]);
  };
  let at = 0;
  for (const hunk of hunks) {
    keep(pieces.slice(at, hunk.from));
    const before = pieces.slice(hunk.from, hunk.to);
    const [from, to] = [before.map(({ word }) => word.text).join(" "), words.slice(hunk.newFrom, hunk.newTo).join(" ")];
    const tooLong = from.length > MAX_CHANGE_LENGTH || to.length > MAX_CHANGE_LENGTH;
    const edits = tooLong ? Number.POSITIVE_INFINITY : editDistance(from, to);
    const refused = refusalOf(before, to, edits, left);
    const refs = before.map(({ ref }) => ref);
    if (refused === undefined) {
      left -= edits;
      if (before.length === hunk.newTo - hunk.newFrom) {
        // The number of words stays: each stands for its own, in its place.
        for (const [index, { gap, ref }] of before.entries()) writer.add(gap, words[hunk.newFrom + index] ?? "", [ref]);
      } else writer.add(before[0]?.gap ?? " ", to, refs);
    } else keep(before);
    if (changes.length < MAX_CHANGES) changes.push({ from, to, refs, ...(refused === undefined ? {} : { refused }) });
    at = hunk.to;
  }
  keep(pieces.slice(at));
  return { pageNumber: page.number, content: writer.content, changes, words: writer.words };
}

/**
 * Corrects a page.
 * @param proposal the page's text as a model corrects it; null: correct by the dictionary and the document's own words
 * @param own the document's own words (`vocabularyOf`)
 */
export function correctPage(page: Page, proposal: string | null, own: ReadonlySet<string>): CorrectedPage {
  const pieces = wordsWithGaps(page);
  const texts = pieces.map(({ word }) => word.text);
  if (proposal !== null) {
    const proposed = proposal.split(/\s+/).filter((word) => word !== "");
    const hunks = alignWords(texts, proposed);
    if (hunks !== null) return applyChanges(page, pieces, hunks, proposed);
  }
  const spelled = pieces.map(({ word }) => correctedWord(word, own) ?? word.text);
  const hunks = spelled.flatMap((text, at): Hunk[] =>
    text === texts[at] ? [] : [{ from: at, to: at + 1, newFrom: at, newTo: at + 1 }],
  );
  return applyChanges(page, pieces, hunks, spelled);
}
