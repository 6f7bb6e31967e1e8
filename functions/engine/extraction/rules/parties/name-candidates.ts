/** The first pages in the search for parties: stacks of lines, and candidates for names. */

import type { DocumentView } from "../../../structure/view/document-view.ts";
import type { Segment } from "../../../structure/view/tokens.ts";
import { hasLegalForm } from "../../../values/party-names.ts";
import { foldText } from "../../../values/text-folding.ts";
import type { LabelMap } from "../find-labels.ts";
import { findStacks, type Stack, type TextRange } from "./line-stacks.ts";

export interface PartyPages {
  view: DocumentView;
  labels: LabelMap;
  stacks: Stack[];
  stackOf: Map<Segment, Stack>;
}

export interface NameCandidate {
  at: TextRange;
  /** 0 to 1; a little more before it is capped. */
  score: number;
}

/** Pages on which parties are introduced. */
export const MAX_PARTY_PAGES = 2;

/** The first pages with their stacks. */
export function viewPartyPages(view: DocumentView, labels: LabelMap): PartyPages {
  const stacks = findStacks(view, MAX_PARTY_PAGES);
  const stackOf = new Map(stacks.flatMap((stack) => stack.lines.map((line) => [line, stack] as const)));
  return { view, labels, stacks, stackOf };
}

/** A line is a label, with or without its value. */
export function isLabelled(segment: Segment, labels: LabelMap): boolean {
  const hits = labels.bySegment.get(segment) ?? [];
  // `Lieferant GmbH` begins with a label and is a name.
  const named = hasLegalForm(segment.text);
  const label = (hit: (typeof hits)[number]): boolean =>
    hit.from === 0 && (hit.colon || (!named && hit.strength === 1 && hit.to >= segment.tokens.length - 1));
  return hits.some(label);
}

/** Equal by letters and digits: `Lieferant GmbH` and `LIEFERANT GMBH`; also a name and its longer form. */
export function sameName(a: string, b: string): boolean {
  const bare = (name: string): string => foldText(name).replace(/[^\p{L}\p{N}]/gu, "");
  const [x, y] = [bare(a), bare(b)];
  return x === y || (x.length > 5 && y.length > 5 && (x.startsWith(y) || y.startsWith(x)));
}
