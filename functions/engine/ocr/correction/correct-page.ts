/**
 * One page's recognised text corrected: by what a model proposes, or by a dictionary. A proposal is held to a budget of
 * edits: what goes beyond it is refused and noted, so that a page is corrected and never rewritten. Where each word of the
 * corrected text comes from is kept. Pure.
 */
import type { Page, Word } from "../../../ports/layout.ts";
import { blockLines } from "../../layout/page-words.ts";
import { correctedWord } from "./dictionary-correction.ts";
import { alignWords, editsBetween, type Hunk } from "./word-alignment.ts";

export interface Change {
  from: string;
  to: string;
  /** The words that it is about: `p1/w17`. */
  refs: string[];
  /** Why it was not made; absent where it was. */
  refused?: string;
}

/** A piece of the corrected text and the words of the page that it stands for; UTF-16 code units. */
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

/** Of a change: edits by the characters of the longer text, and always so many. */
const CHANGE_SHARE = 0.4;
const ALWAYS = 1;
/** Of a page: characters that all changes together may edit. */
const PAGE_SHARE = 0.15;
const PAGE_ALWAYS = 12;
/** A number that was recognised with more is not changed. */
const SURE_NUMBER = 0.9;
const MOST_CHANGES = 2_000;
/** Characters of one change that are compared. */
const LONGEST_CHANGE = 400;

interface Piece {
  word: Word;
  ref: string;
  /** What stands before it: nothing, a space, a line or a block. */
  gap: string;
}

/** The words of a page in reading order, with what stands between them. */
function piecesOf(page: Page): Piece[] {
  const pieces: Piece[] = [];
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

const textOf = (pieces: readonly Piece[]): string => pieces.map(({ gap, word }) => gap + word.text).join("");

/** A page's text as it is proposed to be corrected, and whether recognition read any of it. */
export function pageToCorrect(page: Page): { text: string; recognised: boolean } {
  const pieces = piecesOf(page);
  return { text: textOf(pieces), recognised: pieces.some(({ word }) => word.source === "ocr") };
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** Why a change is refused; undefined where it may be made. */
function refusalOf(before: readonly Piece[], to: string, edits: number, left: number): string | undefined {
  const from = before.map(({ word }) => word.text).join(" ");
  if (before.length === 0) return "adds words that the page does not have";
  if (to === "") return "leaves words out";
  if (before.every(({ word }) => word.source !== "ocr"))
    return "is of words that were not recognised but are in the file";
  const sure = before.some(({ word }) => (word.confidence ?? 1) >= SURE_NUMBER && /\d/.test(word.text));
  if (sure && digitsOf(from) !== digitsOf(to)) return "changes a number that was recognised surely";
  const longer = Math.max(from.length, to.length);
  if (edits > Math.max(ALWAYS, longer * CHANGE_SHARE)) return "is another text, not a correction";
  if (edits > left) return "goes beyond what may be changed on a page";
  return undefined;
}

class Writer {
  content = "";
  readonly words: MappedWord[] = [];

  add(gap: string, text: string, refs: string[]): void {
    this.content += gap;
    this.words.push({ start: this.content.length, length: text.length, refs });
    this.content += text;
  }
}

/** A page with the changes that are within its budget. */
function apply(page: Page, pieces: readonly Piece[], hunks: readonly Hunk[], words: readonly string[]): CorrectedPage {
  const writer = new Writer();
  const changes: Change[] = [];
  let left = Math.max(PAGE_ALWAYS, textOf(pieces).length * PAGE_SHARE);
  const keep = (some: readonly Piece[]): void => {
    for (const { gap, word, ref } of some) writer.add(gap, word.text, [ref]);
  };
  let at = 0;
  for (const hunk of hunks) {
    keep(pieces.slice(at, hunk.from));
    const before = pieces.slice(hunk.from, hunk.to);
    const [from, to] = [before.map(({ word }) => word.text).join(" "), words.slice(hunk.newFrom, hunk.newTo).join(" ")];
    const tooLong = from.length > LONGEST_CHANGE || to.length > LONGEST_CHANGE;
    const edits = tooLong ? Number.POSITIVE_INFINITY : editsBetween(from, to);
    const refused = refusalOf(before, to, edits, left);
    const refs = before.map(({ ref }) => ref);
    if (refused === undefined) {
      left -= edits;
      if (before.length === hunk.newTo - hunk.newFrom) {
        // As many words as before: each stands for its own, where it stood.
        for (const [index, { gap, ref }] of before.entries()) writer.add(gap, words[hunk.newFrom + index] ?? "", [ref]);
      } else writer.add(before[0]?.gap ?? " ", to, refs);
    } else keep(before);
    if (changes.length < MOST_CHANGES) changes.push({ from, to, refs, ...(refused === undefined ? {} : { refused }) });
    at = hunk.to;
  }
  keep(pieces.slice(at));
  return { pageNumber: page.number, content: writer.content, changes, words: writer.words };
}

/**
 * Corrects a page.
 * @param proposal the page's text as a model would have it; null: by the dictionary and the document's own words
 * @param own the document's own words (`vocabularyOf`)
 */
export function correctPage(page: Page, proposal: string | null, own: ReadonlySet<string>): CorrectedPage {
  const pieces = piecesOf(page);
  const texts = pieces.map(({ word }) => word.text);
  if (proposal !== null) {
    const proposed = proposal.split(/\s+/).filter((word) => word !== "");
    const hunks = alignWords(texts, proposed);
    if (hunks !== null) return apply(page, pieces, hunks, proposed);
  }
  const spelled = pieces.map(({ word }) => correctedWord(word, own) ?? word.text);
  const hunks = spelled.flatMap((text, at): Hunk[] =>
    text === texts[at] ? [] : [{ from: at, to: at + 1, newFrom: at, newTo: at + 1 }],
  );
  return apply(page, pieces, hunks, spelled);
}
