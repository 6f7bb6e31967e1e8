/** The choice among the candidates for one value. */
import type { Candidate } from "./value-candidates.ts";

/** Values below are guesses, and become null. */
export const MIN_CONFIDENCE = 0.5;

/** Identifying values are on the first pages. */
export const pageFactor = (page: number): number => (page === 1 ? 1 : page === 2 ? 0.93 : 0.86);

export interface ChosenCandidate {
  candidate: Candidate;
  /** 0 to 1, from the evidence for and against it. */
  confidence: number;
}

/**
 * The best candidate. Repeated values raise the confidence, an equally good other value lowers it.
 * @returns null when no candidate reaches the threshold
 */
export function chooseCandidate(candidates: readonly Candidate[], threshold = MIN_CONFIDENCE): ChosenCandidate | null {
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
