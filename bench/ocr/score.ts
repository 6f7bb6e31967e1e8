/** Recognition quality of a page: words and characters compared with the text layer, independent of reading order. */
import type { Box } from "../../functions/ports/layout.ts";
import type { PlacedText } from "../support/match.ts";

/** The lines of the text layer; boxes in inches of the upright page. */
export interface TextLayerTruth {
  lines: { box: Box; words: PlacedText[] }[];
}

export interface OcrScore {
  /** Words of the truth, and those found among the recognised words, each once. */
  words: number;
  found: number;
  /** Characters of the truth, and the edit distance from them to the recognised text. */
  characters: number;
  edits: number;
}

/** Leaders (dots, lines, also with spaces) are graphics, not text. */
const LEADER_PATTERN = /[._…·\-–—=*](?:\s?[._…·\-–—=*]){2,}/gu;

/** Checkboxes and circles, which our reader adds for form fields. */
const CHECKBOX_PATTERN = /[\u2610-\u2612\u25a1\u25a2\u25cb\u25c9\u25cf\u2713-\u2718]/gu;

/** One form for characters that look the same. */
export const foldSimilarCharacters = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(LEADER_PATTERN, " ")
    .replace(CHECKBOX_PATTERN, " ")
    .replace(/[‘’‚`´]/gu, "'")
    .replace(/[“”„]/gu, '"')
    .replace(/[‐‑–—−]/gu, "-");

const wordsOf = (texts: readonly string[]): string[] =>
  foldSimilarCharacters(texts.join(" ")).split(/\s+/).filter(Boolean);

/** Levenshtein distance. */
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

/** The distance of a point to a box, vertical distance weighted more: lines are close together. */
function distanceToBox(x: number, y: number, box: Box): number {
  const across = Math.max(box.left - x, 0, x - box.right);
  const along = Math.max(box.top - y, 0, y - box.bottom);
  return across + 3 * along;
}

/** A word within this distance of a line may belong to it. */
const MAX_LINE_DISTANCE_INCHES = 0.15;

/**
 * Compares characters by lines of the truth: each recognised word belongs to the line at its place, so that the order
 * of columns costs nothing; words on no line count as insertions.
 */
export function scorePage(truth: TextLayerTruth, read: readonly PlacedText[]): OcrScore {
  const onLines = truth.lines.map((): PlacedText[] => []);
  let stray = 0;
  for (const word of read) {
    const [x, y] = [(word.box.left + word.box.right) / 2, (word.box.top + word.box.bottom) / 2];
    let best = -1;
    let least = MAX_LINE_DISTANCE_INCHES;
    for (const [index, line] of truth.lines.entries()) {
      const far = distanceToBox(x, y, line.box);
      const middle = Math.abs((line.box.top + line.box.bottom) / 2 - y);
      if (far + middle * 0.01 < least) [best, least] = [index, far + middle * 0.01];
    }
    const line = onLines[best];
    if (line === undefined) stray += wordsOf([word.text]).join(" ").length;
    else line.push(word);
  }
  const score = { words: 0, found: 0, characters: 0, edits: stray };
  for (const [index, line] of truth.lines.entries()) {
    const expected = wordsOf(line.words.map(({ text }) => text)).join(" ");
    const given = (onLines[index] ?? []).sort((a, b) => a.box.left - b.box.left);
    score.characters += expected.length;
    score.edits += editDistance(expected, wordsOf(given.map(({ text }) => text)).join(" "));
  }
  const words = wordsOf(truth.lines.flatMap((line) => line.words.map(({ text }) => text)));
  score.words = words.length;
  score.found = countFound(words, wordsOf(read.map(({ text }) => text)));
  return score;
}
