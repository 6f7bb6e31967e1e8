/** The labels of a page's places: print between two places names the nearer one, and most of a page's labels stand on one side. */
import type { Box } from "../../../ports/layout.ts";
import { spanOverlap } from "../../layout/geometry.ts";
import { isChoice } from "../detect/candidate.ts";
import type { JudgedCandidate } from "../detect/confidence.ts";
import type { Label, LabelPlace } from "../detect/labels.ts";
import { inkBox, type PageSpace, type TextRun } from "../detect/page-space.ts";

/** Distance of a label over or under its place at most, and by which it overlaps the place, in ems. */
const MAX_DISTANCE_EM = 1.3;
const MAX_OVERLAP_EM = 0.4;
/** Share of a label's width that stands under its place at least. */
const MIN_WIDTH_SHARE = 0.7;
/** Size of the type of a label under its place at most, in ems: larger and bold print heads the next part of the form. */
const MAX_LABEL_SIZE_EM = 1.4;
/** Difference of two distances from which one of them is clearly less, in ems. */
const CLEAR_EM = 0.25;
/** Places that clearly have their labels under them that make a habit, and how many times more than have them above. */
const MIN_CLEAR = 2;
const MIN_TIMES_MORE = 2;
/** Print beside, within or at the heads of a place names it anyway. */
const UNDECIDED: ReadonlySet<LabelPlace> = new Set(["above", "below", "header", "none"]);
/** A date's notation, and print that names what stands beside it. */
const NO_LABEL = /^\(?[adgjmty]{1,4}(?:[ ./-]+[adgjmty]{1,4}){1,2}\)?$|[:：]\s*$/iu;

interface Near {
  run: TextRun;
  /** Points. */
  distance: number;
  /** Nearer than to any other place. */
  isOwn: boolean;
}

type Side = "above" | "below";

/** Points between a place and print on a side of it; infinite for print that does not stand there. */
function distanceOf(side: Side, { box }: TextRun, place: Box, em: number): number {
  const ink = inkBox({ box });
  const distance = side === "above" ? place.top - ink.bottom : ink.top - place.bottom;
  const shared = spanOverlap(box.left, box.right, place.left, place.right);
  return distance >= -MAX_OVERLAP_EM * em && shared > 1 ? distance : Infinity;
}

/** The nearest print on a side of a place. @param others all places */
function nearOn(side: Side, place: Box, runs: readonly TextRun[], others: readonly Box[], em: number) {
  let best: Omit<Near, "isOwn"> | undefined;
  for (const run of runs) {
    const distance = distanceOf(side, run, place, em);
    if (distance <= MAX_DISTANCE_EM * em && distance < (best?.distance ?? Infinity)) best = { run, distance };
  }
  if (best === undefined) return undefined;
  const { run, distance } = best;
  const opposite = side === "above" ? "below" : "above";
  const isOwn = others.every((other) => distance + CLEAR_EM * em < distanceOf(opposite, run, other, em));
  return { run, distance, isOwn };
}

/** True for print that may stand under the place that it names. */
function isCaption({ text, bold, size, box }: TextRun, place: Box, em: number): boolean {
  const shared = spanOverlap(box.left, box.right, place.left, place.right);
  const isUnder = shared >= MIN_WIDTH_SHARE * (box.right - box.left);
  return !bold && size <= MAX_LABEL_SIZE_EM * em && isUnder && /\p{L}/u.test(text) && !NO_LABEL.test(text);
}

/** The side of a place's label: 1 for under it, -1 for over it, between them where it is not clear. */
function sideOf(above: Near | undefined, below: Near | undefined, em: number): number {
  if (below?.isOwn !== true) return above === undefined || below === undefined ? -1 : -0.5;
  if (above?.isOwn !== true || below.distance + CLEAR_EM * em < above.distance) return 1;
  return above.distance + CLEAR_EM * em < below.distance ? -1 : 0;
}

/**
 * The labels of places, those that stand under them among them: print over such a place names the one over it.
 * @param places all of a page
 */
export function pageLabels(places: readonly JudgedCandidate[], space: PageSpace): Map<JudgedCandidate, Label> {
  const { em } = space;
  const answers = new Set(places.flatMap(({ candidate, label }) => (isChoice(candidate) ? [label.run] : [])));
  const runs = space.wordedRuns.filter((run) => !answers.has(run));
  const boxes = places.flatMap(({ candidate }) => (isChoice(candidate) ? [] : [candidate.box]));
  const sided = places
    .filter(({ candidate, label }) => !isChoice(candidate) && UNDECIDED.has(label.place))
    .map((place) => {
      const { box } = place.candidate;
      const captions = runs.filter((run) => isCaption(run, box, em));
      const below = nearOn("below", box, captions, boxes, em);
      return { place, below, side: sideOf(nearOn("above", box, runs, boxes, em), below, em) };
    });
  const [under, over] = [sided.filter(({ side }) => side === 1), sided.filter(({ side }) => side === -1)];
  const isHabit = under.length >= MIN_CLEAR && under.length >= MIN_TIMES_MORE * over.length;
  const labels = new Map(places.map((place) => [place, place.label]));
  for (const { place, below, side } of sided)
    if (below !== undefined && (side === 1 || (isHabit && side > -1)))
      labels.set(place, { text: below.run.text, place: "below", run: below.run });
  return labels;
}
