/** How well a page was read: words and characters beside those of the text layer, whatever the reading order. */
import type { Box } from "../../functions/ports/layout.ts";
import type { PlacedText } from "../support/match.ts";

/** The text layer's lines; boxes in inches of the upright page. */
export interface Truth {
  lines: { box: Box; words: PlacedText[] }[];
}

export interface Score {
  /** Words of the truth, and those of them that were read, each once. */
  words: number;
  found: number;
  /** Characters of the truth, and the edits that lead from them to what was read. */
  characters: number;
  edits: number;
}

/** Leaders (dots, lines, also with spaces between) are drawn, not written: nobody counts them. */
const LEADER = /[._…·\-–—=*](?:\s?[._…·\-–—=*]){2,}/gu;

/** Boxes and circles to tick, which our reading of the file writes where a form has them. */
const TICK = /[\u2610-\u2612\u25a1\u25a2\u25cb\u25c9\u25cf\u2713-\u2718]/gu;

/** One form for signs that look the same. */
export const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(LEADER, " ")
    .replace(TICK, " ")
    .replace(/[‘’‚`´]/gu, "'")
    .replace(/[“”„]/gu, '"')
    .replace(/[‐‑–—−]/gu, "-");

const foldedWords = (texts: readonly string[]): string[] => fold(texts.join(" ")).split(/\s+/).filter(Boolean);

/** Levenshtein's distance. */
function editDistance(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, sign] of left.entries()) {
    const next = [i + 1];
    for (const [j, other] of right.entries()) {
      const change = (row[j] ?? 0) + (sign === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

function countFound(truth: readonly string[], read: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of read) left.set(word, (left.get(word) ?? 0) + 1);
  let found = 0;
  for (const word of truth) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    found += 1;
  }
  return found;
}

/** How far a point lies outside a box, upright distance counting more: lines are close, words of a line are not. */
function distance(x: number, y: number, box: Box): number {
  const across = Math.max(box.left - x, 0, x - box.right);
  const along = Math.max(box.top - y, 0, y - box.bottom);
  return across + 3 * along;
}

/** Inches beside a line within which a word may still be one of its. */
const REACH = 0.15;

/**
 * Characters are compared line by line of the truth: each word that was read goes to the line that it stands on, so that
 * columns read in another order cost nothing; words on no line are insertions.
 */
export function scorePage(truth: Truth, read: readonly PlacedText[]): Score {
  const onLines = truth.lines.map((): PlacedText[] => []);
  let stray = 0;
  for (const word of read) {
    const [x, y] = [(word.box.left + word.box.right) / 2, (word.box.top + word.box.bottom) / 2];
    let best = -1;
    let least = REACH;
    for (const [index, line] of truth.lines.entries()) {
      const far = distance(x, y, line.box);
      const middle = Math.abs((line.box.top + line.box.bottom) / 2 - y);
      if (far + middle * 0.01 < least) [best, least] = [index, far + middle * 0.01];
    }
    const line = onLines[best];
    if (line === undefined) stray += foldedWords([word.text]).join(" ").length;
    else line.push(word);
  }
  const score = { words: 0, found: 0, characters: 0, edits: stray };
  for (const [index, line] of truth.lines.entries()) {
    const expected = foldedWords(line.words.map(({ text }) => text)).join(" ");
    const given = (onLines[index] ?? []).sort((a, b) => a.box.left - b.box.left);
    score.characters += expected.length;
    score.edits += editDistance(expected, foldedWords(given.map(({ text }) => text)).join(" "));
  }
  const words = foldedWords(truth.lines.flatMap((line) => line.words.map(({ text }) => text)));
  score.words = words.length;
  score.found = countFound(words, foldedWords(read.map(({ text }) => text)));
  return score;
}
