/** The labels of a page's places. */
import type { JudgedCandidate } from "../detect/confidence.ts";
import type { Label } from "../detect/labels.ts";
import type { PageSpace } from "../detect/page-space.ts";

export function pageLabels(places: readonly JudgedCandidate[], _space: PageSpace): Map<JudgedCandidate, Label> {
  return new Map(places.map((place) => [place, place.label]));
}
