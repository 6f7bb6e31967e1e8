/** From the content of a page to its possible places to write, each with label and confidence. */
import type { JudgedCandidate } from "./confidence.ts";
import { confidenceOf } from "./confidence.ts";
import { findCandidates } from "./find-candidates.ts";
import type { FormPageContent } from "./form-page.ts";
import { findLabel } from "./labels.ts";
import { PageSpace } from "./page-space.ts";
import { signsOf } from "./place-signs.ts";

/** All candidates of a page, also unlikely ones and rivals. */
export function judgePage(content: FormPageContent): JudgedCandidate[] {
  const space = new PageSpace(content);
  const candidates = findCandidates(space);
  return candidates.map((candidate) => {
    const label = findLabel(candidate, space);
    const signs = signsOf(candidate, label, candidates, space);
    return { candidate, label, signs, confidence: confidenceOf(candidate, signs) };
  });
}
