/**
 * Marks words that a line's end cuts in two. The document's own spelling decides which hyphens belong to the line's
 * end.
 */
import type { Block, Layout, Line } from "../../ports/layout.ts";
import { blockLines } from "../layout/page-words.ts";
import { continuesRow } from "./block-rows.ts";
import { endsWithHyphen, isConjunction } from "./layout-text.ts";

const SOFT_HYPHEN = "\u00ad";
/** Letters before the hyphen at the end of a line, and letters with which the next line continues. */
const STEM = /([\p{L}\p{M}]+(?:[-\u2010'’][\p{L}\p{M}]+)*)[-\u2010\u00ad]$/u;
const TAIL = /^[\p{L}\p{M}]+(?:[-\u2010'’][\p{L}\p{M}]+)*/u;
const LETTERS = /[\p{L}\p{M}]+(?:[-\u2010'’][\p{L}\p{M}]+)*/gu;

/** The document's spelling: words and compounds, lower case, without those cut by a line's end. */
interface DocumentSpelling {
  words: ReadonlyMap<string, number>;
  /** First parts of compounds (`self` of `self-employed`). */
  prefixes: ReadonlySet<string>;
}

const fold = (text: string): string => text.toLowerCase().replaceAll("\u2010", "-");
const PLAIN_WORD = /^[a-z]+$/;

/** Counts of the layout's words. */
function countTexts(layout: Layout): Map<string, number> {
  const texts = new Map<string, number>();
  for (const page of layout.pages) {
    for (const block of page.blocks) {
      for (const { words } of blockLines(block)) {
        for (const { text } of words) texts.set(text, (texts.get(text) ?? 0) + 1);
      }
    }
  }
  return texts;
}

function spellingOf(layout: Layout): DocumentSpelling {
  const words = new Map<string, number>();
  const prefixes = new Set<string>();
  const add = (word: string, times: number): void => {
    words.set(word, (words.get(word) ?? 0) + times);
  };
  for (const [text, times] of countTexts(layout)) {
    if (PLAIN_WORD.test(text)) {
      add(text, times);
      continue;
    }
    if (endsWithHyphen(text)) continue;
    for (const [match] of fold(text).matchAll(LETTERS)) {
      add(match, times);
      const hyphen = match.indexOf("-");
      if (hyphen > 0) prefixes.add(match.slice(0, hyphen));
    }
  }
  return { words, prefixes };
}

/** Characters of a word that are compared; no language has longer words. */
const MAX_WORD_LENGTH = 80;

const isLower = (text: string): boolean => text === text.toLowerCase() && text !== text.toUpperCase();

/** True if the hyphen between the last word of a line and the first of the next belongs to the line's end. */
function isCut(last: string, next: string, { words, prefixes }: DocumentSpelling): boolean {
  const stem = STEM.exec(last.slice(-MAX_WORD_LENGTH))?.[1];
  const tail = TAIL.exec(next)?.[0];
  if (stem === undefined || tail === undefined || /[/@]|\.\p{L}/u.test(last)) return false;
  if (last.endsWith(SOFT_HYPHEN)) return true;
  const joined = words.get(fold(stem + tail)) ?? 0;
  const hyphenated = words.get(fold(`${stem}-${tail}`)) ?? 0;
  if (joined > 0 || hyphenated > 0) return joined >= hyphenated;
  // `pre- and postwar`; `self-reliant` where the document writes `self-employed`, and `reliant` by itself.
  if (isConjunction(tail) || (prefixes.has(fold(stem)) && words.has(fold(tail)))) return false;
  // `state-of-the-art`: a compound keeps its hyphens, but for a part that is a word of the document (`e-mail-adres-ses`).
  const part = fold(stem).split("-").at(-1) ?? "";
  if (part.length < stem.length && !words.has(part + fold(tail))) return false;
  return isLower(stem.slice(-1)) && isLower(tail.slice(0, 1));
}

/** True if `next` stands below `line`, so that its text continues there. */
const continuesBelow = (line: Line, next: Line): boolean =>
  !continuesRow(line, next) &&
  next.box.top > line.box.top &&
  next.box.left < line.box.right &&
  next.box.right > line.box.left;

/** Called only once a line ends with a hyphen: most documents have few. */
type SpellingSource = () => DocumentSpelling;

function markLines(lines: Line[], spelling: SpellingSource): Line[] {
  let marked: Line[] | undefined;
  for (let at = 0; at + 1 < lines.length; at += 1) {
    const [line, next] = [lines[at], lines[at + 1]];
    const last = line?.words.at(-1)?.text ?? "";
    if (line === undefined || next === undefined || !endsWithHyphen(last) || !continuesBelow(line, next)) continue;
    if (!isCut(last, next.words[0]?.text ?? "", spelling())) continue;
    marked ??= [...lines];
    marked[at] = { ...line, hyphenated: true };
  }
  return marked ?? lines;
}

function markBlock(block: Block, spelling: SpellingSource): Block {
  if (block.kind !== "table") {
    const lines = markLines(block.lines, spelling);
    return lines === block.lines ? block : { ...block, lines };
  }
  let changed = false;
  const cells = block.cells.map((cell) => {
    const lines = markLines(cell.lines, spelling);
    if (lines === cell.lines) return cell;
    changed = true;
    return { ...cell, lines };
  });
  return changed ? { ...block, cells } : block;
}

/**
 * Marks the lines whose last word continues in the next line of the same block or cell. A spelling elsewhere in the
 * document decides between one word and a compound; without one, lower case on both sides is one word, unless it is a
 * compound already.
 */
export function markHyphens(layout: Layout): Layout {
  let known: DocumentSpelling | undefined;
  const spelling = (): DocumentSpelling => {
    known ??= spellingOf(layout);
    return known;
  };
  return {
    ...layout,
    pages: layout.pages.map((page) => ({ ...page, blocks: page.blocks.map((block) => markBlock(block, spelling)) })),
  };
}
