/** How evidence becomes a number from 0 to 1: factors for places, and the choice among candidates. */

import type { LabelHit } from "./find-labels.ts";
/** How surely a value in that place belongs to the label. */
export const RELATION_WEIGHTS = { after: 1, paired: 1, right: 0.96, below: 0.9 } as const;
/** How well a value stands under its label. */
export const ALIGNMENT_WEIGHTS = { edge: 1, middle: 0.97, overlap: 0.85 } as const;

/** Words before a label make it part of a sentence, or of another label; a colon behind it makes up for them. */
export function leadFactor(hit: LabelHit): number {
  const lead = hit.segment.tokens.slice(0, hit.from).filter((token) => /[\p{L}]{2,}/u.test(token.text)).length;
  if (lead === 0) return 1;
  if (lead <= 2) return hit.colon ? 0.92 : 0.85;
  if (hit.colon) return 0.85;
  // One word in the middle of a sentence (`bonds issued after …`) is just a word.
  return hit.to - hit.from > 1 ? 0.68 : 0.45;
}

/** Each word between label and value makes it less likely that they belong together. */
export const skipFactor = (words: number): number => (words > 8 ? 0 : 0.93 ** words);
