/** The choice among the candidates for one value. */
import type { Candidate } from "./value-candidates.ts";

/** Below this a value is a guess, and a guess is null. */
export const MIN_CONFIDENCE = 0.5;

/** First pages carry what identifies a document. */
export const pageFactor = (page: number): number => (page === 1 ? 1 : page === 2 ? 0.93 : 0.86);

export interface ChosenCandidate {
  candidate: Candidate;
  /** 0 to 1, from the evidence for it and against it. */
  confidence: number;
}

/**
 * The best candidate. The same value found twice is surer, another value found as surely makes it doubtful.
 * @returns null when nothing reaches the threshold
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
