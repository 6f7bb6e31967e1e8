/** How evidence becomes a number from 0 to 1: factors for places, and the choice among candidates. */

import type { LabelHit } from "./find-labels.ts";
import type { Candidate } from "./value-candidates.ts";

/** Below this a value is a guess, and a guess is null. */
export const THRESHOLD = 0.5;

/** How surely a value in that place belongs to the label. */
export const RELATION = { after: 1, paired: 1, right: 0.96, below: 0.9 } as const;
/** How well a value stands under its label. */
export const ALIGNMENT = { edge: 1, middle: 0.97, overlap: 0.85 } as const;

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

/** First pages carry what identifies a document. */
export const pageFactor = (page: number): number => (page === 1 ? 1 : page === 2 ? 0.93 : 0.86);

export interface Choice {
  candidate: Candidate;
  /** 0 to 1, from the evidence for it and against it. */
  confidence: number;
}

/**
 * The best candidate. The same value found twice is surer, another value found as surely makes it doubtful.
 * @returns null when nothing reaches the threshold
 */
export function chooseBest(candidates: readonly Candidate[], threshold = THRESHOLD): Choice | null {
  const byValue = new Map<string | number | boolean, Candidate[]>();
  for (const candidate of candidates)
    byValue.set(candidate.value, [...(byValue.get(candidate.value) ?? []), candidate]);
  const ranked = [...byValue.values()]
    .map((group) => {
      const sorted = group.sort(
        (a, b) => b.score - a.score || a.segment.page - b.segment.page || a.segment.row - b.segment.row,
      );
      const [top] = sorted;
      const support = Math.min(sorted.length - 1, 3) * 0.02;
      return top === undefined
        ? null
        : { candidate: top, score: Math.min(1, top.score * pageFactor(top.segment.page) + support) };
    })
    .filter((entry) => entry !== null)
    .sort((a, b) => b.score - a.score || a.candidate.segment.row - b.candidate.segment.row);
  const [best, rival] = ranked;
  if (best === undefined || best.score < threshold) return null;
  const contested = rival !== undefined && rival.score > best.score * 0.97 ? 0.85 : 1;
  return { candidate: best.candidate, confidence: best.score * contested };
}
