/** Factors from 0 to 1 for the place of a value and the form of its label. */

import type { LabelHit } from "./find-labels.ts";
/** Weight of a value by its place relative to the label. */
export const RELATION_WEIGHTS = { after: 1, paired: 1, right: 0.96, below: 0.9 } as const;
/** Weight of a value below its label by alignment. */
export const ALIGNMENT_WEIGHTS = { edge: 1, middle: 0.97, overlap: 0.85 } as const;

/** Words before a label make it part of a sentence or of another label; a colon behind it compensates. */
export function leadFactor(hit: LabelHit): number {
  const lead = hit.segment.tokens.slice(0, hit.from).filter((token) => /[\p{L}]{2,}/u.test(token.text)).length;
  if (lead === 0) return 1;
  if (lead <= 2) return hit.colon ? 0.92 : 0.85;
  if (hit.colon) return 0.85;
  // A single word in a sentence (`bonds issued after …`) is hardly a label.
  return hit.to - hit.from > 1 ? 0.68 : 0.45;
}

/** Each word between label and value lowers the weight. */
export const skipFactor = (words: number): number => (words > 8 ? 0 : 0.93 ** words);
