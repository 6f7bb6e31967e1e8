/** Matches the words of two readers by text and place. */

import { overlapShare } from "../../functions/engine/layout/geometry.ts";
import type { Box } from "../../functions/ports/layout.ts";

export interface PlacedText {
  text: string;
  /** In inches from the top left corner of the page as shown. */
  box: Box;
}

export interface WordMatch {
  ours: PlacedText;
  theirs: PlacedText;
  ourIndex: number;
  theirIndex: number;
}

/** Ligatures, width and presentation forms do not make a different word. */
export const foldText = (text: string): string => text.normalize("NFKC").replaceAll("\u00ad", "-");

/**
 * Leaders and mathematical signs have no clear word boundaries; checkboxes are not text of the file but derived from
 * its form.
 */
export const isLeaderOrSign = (text: string): boolean =>
  /[.·‧…_=-]{4,}|[\p{Sm}\ufffd\u2610\u2612]|^[.·‧…_]+$/u.test(text.replace(/^\+/, ""));

const MIN_OVERLAP_SHARE = 0.5;

/** One to one, best overlap first. */
export function matchWords(ours: readonly PlacedText[], theirs: readonly PlacedText[]): WordMatch[] {
  const byText = new Map<string, number[]>();
  ours.forEach(({ text }, index) => {
    const key = foldText(text);
    const list = byText.get(key);
    if (list === undefined) byText.set(key, [index]);
    else list.push(index);
  });
  const taken = new Set<number>();
  return theirs.flatMap((word, theirIndex) => {
    let best: number | undefined;
    let most = MIN_OVERLAP_SHARE;
    for (const index of byText.get(foldText(word.text)) ?? []) {
      const own = ours[index];
      if (own === undefined || taken.has(index)) continue;
      const share = overlapShare(own.box, word.box);
      if (share >= most) [best, most] = [index, share];
    }
    const own = best === undefined ? undefined : ours[best];
    if (best === undefined || own === undefined) return [];
    taken.add(best);
    return [{ ours: own, theirs: word, ourIndex: best, theirIndex }];
  });
}

const contains = (box: Box, of: Box): boolean => {
  const x = (of.left + of.right) / 2;
  const y = (of.top + of.bottom) / 2;
  return x > box.left && x < box.right && y > box.top && y < box.bottom;
};

/** Words of `whole` that consist of two or more words of `parts`. */
export function brokenWords(
  whole: readonly PlacedText[],
  parts: readonly PlacedText[],
): { word: string; parts: string[] }[] {
  return whole.flatMap(({ text, box }) => {
    const inside = parts.filter((part) => contains(box, part.box)).sort((a, b) => a.box.left - b.box.left);
    if (inside.length < 2) return [];
    const pieces = inside.map((part) => foldText(part.text));
    const letters = (of: string): string => [...of].sort().join("");
    return letters(pieces.join("")) === letters(foldText(text)) ? [{ word: text, parts: pieces }] : [];
  });
}
