/** From the content of a page to its possible places to write, each with label and confidence. */
import { type Candidate, isChoice } from "./candidate.ts";
import { confidenceOf, type JudgedCandidate } from "./confidence.ts";
import { findCandidates } from "./find-candidates.ts";
import type { FormPageContent } from "./form-page.ts";
import { findLabel } from "./labels.ts";
import { PageSpace } from "./page-space.ts";
import { signsOf } from "./place-signs.ts";
import { misalignedShares } from "./tick-layout.ts";

export interface PageJudgement {
  /** All of a page, also unlikely ones and rivals. */
  candidates: JudgedCandidate[];
  space: PageSpace;
  /** Usual type size, points. */
  em: number;
}

/** Judges candidates of a page, in their order. @param all of the page, also those that are not judged */
export function judgeCandidates(
  candidates: readonly Candidate[],
  all: readonly Candidate[],
  space: PageSpace,
): JudgedCandidate[] {
  const [choices, texts] = [all.filter(isChoice), all.filter((one) => !isChoice(one))];
  const misaligned = misalignedShares(choices);
  return candidates.map((candidate) => {
    const label = findLabel(candidate, space);
    const signs = signsOf(candidate, label, { choices, texts, misaligned }, space);
    return { candidate, label, signs, confidence: confidenceOf(candidate, signs) };
  });
}

export function judgePage(content: FormPageContent): PageJudgement {
  const space = new PageSpace(content);
  const found = findCandidates(space);
  return { candidates: judgeCandidates(found, found, space), space, em: space.em };
}
