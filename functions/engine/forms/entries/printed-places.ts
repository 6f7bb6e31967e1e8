/** The places of a form that is only printed, found by detection. */
import type { Box } from "../../../ports/layout.ts";
import { containsMiddle } from "../../layout/geometry.ts";
import { type Candidate, isChoice } from "../detect/candidate.ts";
import { choosePlaces } from "../detect/choose-places.ts";
import type { JudgedCandidate } from "../detect/confidence.ts";
import { findCandidates } from "../detect/find-candidates.ts";
import type { FormWord } from "../detect/form-page.ts";
import { judgeCandidates } from "../detect/judge-page.ts";
import type { PageSpace } from "../detect/page-space.ts";

/** Confidence from which a place is read: as detection suggests them to people. */
const MIN_CONFIDENCE = 0.35;
/** Places of a page at most. */
const MAX_PLACES = 400;
/** Share of a page's possible places in cells with a number and no word up to which it may be a form: most are named. */
const MAX_NUMBER_SHARE = 0.6;
/** Room around a place that belongs to it, in ems: letters reach below a line, and over the top of a box. */
const MARGIN_EM = 0.35;

export const grown = ({ left, top, right, bottom }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

/** A place with the room around it that belongs to it. */
export const roomOf = (box: Box, { em }: PageSpace): Box => grown(box, MARGIN_EM * em);

const isNumber = ({ text }: { text: string }): boolean => /\d/.test(text) && !/\p{L}/u.test(text);

/** True for a page whose cells hold numbers, printed or written: a form's have words that name them, or nothing. */
function isTable(all: readonly Candidate[], space: PageSpace, written: readonly FormWord[]): boolean {
  const figures = written.filter(isNumber);
  const numbers = all.filter(
    ({ shape, around }) =>
      shape === "cell" &&
      (space.runsIn(around).some(isNumber) || figures.some(({ box }) => containsMiddle(around, box))),
  );
  const named = numbers.filter(({ around }) => space.runsIn(around).some(({ text }) => /\p{L}/u.test(text)));
  return numbers.length - named.length > MAX_NUMBER_SHARE * all.length;
}

/**
 * The places of a page, without what is written on it; none where fewer than asked for are likely and open. The cells of
 * a table are filled: it is known for one before its many cells are judged.
 */
export function placesOf(space: PageSpace, written: readonly FormWord[], leastOpen: number): JudgedCandidate[] {
  const all = findCandidates(space);
  if (leastOpen > 0 && isTable(all, space, written)) return [];
  const isOpen = (one: Candidate): boolean =>
    isChoice(one) || !written.some(({ box }) => containsMiddle(roomOf(one.box, space), box));
  const [open, filled] = [all.filter(isOpen), all.filter((one) => !isOpen(one))];
  const likely = judgeCandidates(open, all, space).filter(({ confidence }) => confidence >= MIN_CONFIDENCE);
  if (likely.length < leastOpen) return [];
  const surest = choosePlaces([...likely, ...judgeCandidates(filled, all, space)], MIN_CONFIDENCE)
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, MAX_PLACES);
  return surest;
}
