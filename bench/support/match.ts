/** Words of two readers matched with each other by text and place. */

import { overlapShare } from "../../functions/engine/layout/geometry.ts";
import type { Box } from "../../functions/ports/layout.ts";

export interface PlacedText {
  text: string;
  /** Inches from the top left corner of the page as shown. */
  box: Box;
}

export interface Match {
  ours: PlacedText;
  theirs: PlacedText;
  ourIndex: number;
  theirIndex: number;
}

/** Ligatures, width and presentation forms do not make another word. */
export const fold = (text: string): string => text.normalize("NFKC").replaceAll("\u00ad", "-");

/**
 * Rows of dots and lines, and signs of mathematics: where a word of them ends is anybody's choice. Boxes to tick are no
 * text of the file: we make them out of its form.
 */
export const isAside = (text: string): boolean =>
  /[.·‧…_=-]{4,}|[\p{Sm}\ufffd\u2610\u2612]|^[.·‧…_]+$/u.test(text.replace(/^\+/, ""));

const LEAST_OVERLAP = 0.5;

/** One to one, the best overlap first come. */
export function matchWords(ours: readonly PlacedText[], theirs: readonly PlacedText[]): Match[] {
  const byText = new Map<string, number[]>();
  ours.forEach(({ text }, index) => {
    const key = fold(text);
    const list = byText.get(key);
    if (list === undefined) byText.set(key, [index]);
    else list.push(index);
  });
  const taken = new Set<number>();
  return theirs.flatMap((word, theirIndex) => {
    let best: number | undefined;
    let most = LEAST_OVERLAP;
    for (const index of byText.get(fold(word.text)) ?? []) {
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

/** Words of `whole` that stand in `parts` as two or more pieces that make them up. */
export function broken(
  whole: readonly PlacedText[],
  parts: readonly PlacedText[],
): { word: string; parts: string[] }[] {
  return whole.flatMap(({ text, box }) => {
    const inside = parts.filter((part) => contains(box, part.box)).sort((a, b) => a.box.left - b.box.left);
    if (inside.length < 2) return [];
    const pieces = inside.map((part) => fold(part.text));
    const letters = (of: string): string => [...of].sort().join("");
    return letters(pieces.join("")) === letters(fold(text)) ? [{ word: text, parts: pieces }] : [];
  });
}
