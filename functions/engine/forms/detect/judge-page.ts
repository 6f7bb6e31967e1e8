/** From the content of a page to its possible places to write, each with label and confidence. */
import { confidenceOf, type JudgedCandidate } from "./confidence.ts";
import { findCandidates } from "./find-candidates.ts";
import type { FormPageContent } from "./form-page.ts";
import { findLabel } from "./labels.ts";
import { PageSpace } from "./page-space.ts";
import { signsOf } from "./place-signs.ts";

export interface PageJudgement {
  /** All of a page, also unlikely ones and rivals. */
  candidates: JudgedCandidate[];
  space: PageSpace;
  /** Usual type size, points. */
  em: number;
}

export function judgePage(content: FormPageContent): PageJudgement {
  const space = new PageSpace(content);
  const found = findCandidates(space);
  const candidates = found.map((candidate) => {
    const label = findLabel(candidate, space);
    const signs = signsOf(candidate, label, found, space);
    return { candidate, label, signs, confidence: confidenceOf(candidate, signs) };
  });
  return { candidates, space, em: space.em };
}
