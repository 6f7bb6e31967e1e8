/** The print that names a place: inside its cell, before it, under it, over it, or at the head of its row and column. */
import type { Box } from "../../../ports/layout.ts";
import { middleX, middleY, spanOverlap } from "../../layout/geometry.ts";
import { type Candidate, isChoice, isLine } from "./candidate.ts";
import { headsNextRow } from "./captions.ts";
import type { PageSpace, TextRun } from "./page-space.ts";

/** Place of the label. */
export const LABEL_PLACES = ["inside", "left", "below", "above", "right", "header", "none"] as const;
export type LabelPlace = (typeof LABEL_PLACES)[number];

export interface Label {
  text: string;
  place: LabelPlace;
  /** The run nearest to the place; absent without a label. */
  run?: TextRun;
}

/** Distances in ems of the page's type: to a label on the same row, under a rule, over a box, and to a header. */
const MAX_LEFT_EM = 2.5;
/** Distance to a label with a colon, in ems: the places of a column begin behind the longest of their labels. */
const MAX_COLON_EM = 6;
const MAX_RIGHT_EM = 2.5;
const MAX_BELOW_EM = 0.9;
const MAX_ABOVE_EM = 1.1;
const MAX_LABEL_LINE_GAP_EM = 0.6;
const ENDS_IN_COLON = /[:：]\s*$/u;
/** Length of a line to write on behind print at least, and its distance from the print's foot, in ems. */
const MIN_OWN_LINE_EM = 2;
const MAX_FOOT_DISTANCE_EM = 0.5;
/** Share of a run's height that it shares with a place on the same row. */
const MIN_ROW_SHARE = 0.4;

const NO_LABEL: Label = { text: "", place: "none" };
const hasLetters = ({ text }: TextRun): boolean => /[\p{L}\p{N}]/u.test(text);

function nearest(runs: readonly TextRun[], distance: (run: TextRun) => number, most: number): TextRun | undefined {
  let best: TextRun | undefined;
  let least = most;
  for (const run of runs) {
    const own = distance(run);
    if (own <= least) [best, least] = [run, own];
  }
  return best;
}

const isOnRow = ({ box }: TextRun, place: Box): boolean =>
  spanOverlap(box.top, box.bottom, place.top, place.bottom) >= MIN_ROW_SHARE * (box.bottom - box.top);

/**
 * True for print that names a place beside itself: it ends with a colon, or a line to write on begins behind it. What
 * stands under it is another label.
 */
function namesOwnPlace({ text, box }: TextRun, { rules, content, em }: PageSpace): boolean {
  if (ENDS_IN_COLON.test(text)) return true;
  return [...rules.horizontal, ...content.underscores, ...content.leaders].some(
    ({ at, from, to }) =>
      from >= box.right - 0.5 * em &&
      from <= box.right + MAX_LEFT_EM * em &&
      to - from >= MIN_OWN_LINE_EM * em &&
      Math.abs(at - box.bottom) <= MAX_FOOT_DISTANCE_EM * em,
  );
}

/** The lines of a label that continue a line of it, upwards or downwards. */
function withContinuation(run: TextRun, runs: readonly TextRun[], space: PageSpace): string {
  const { em } = space;
  const lines = [run];
  for (let grown = true; grown; ) {
    const top = lines[0] ?? run;
    const above = runs.find(
      ({ box }) =>
        Math.abs(box.left - top.box.left) < em &&
        Math.abs(top.box.top - box.bottom) < MAX_LABEL_LINE_GAP_EM * em &&
        box.bottom <= middleY(top.box),
    );
    if (above !== undefined && namesOwnPlace(above, space)) break;
    grown = above !== undefined && lines.length < 3;
    if (above !== undefined && grown) lines.unshift(above);
  }
  return lines.map(({ text }) => text).join(" ");
}

/** The print before a place on its row, as near as labels are; one with a colon names what stands in a column farther off. */
function leftOf(place: Box, runs: readonly TextRun[], em: number): TextRun | undefined {
  const run = nearest(
    runs.filter((one) => one.box.right <= place.left + 0.5 * em && isOnRow(one, place)),
    ({ box }) => place.left - box.right,
    MAX_COLON_EM * em,
  );
  if (run === undefined) return undefined;
  return place.left - run.box.right <= MAX_LEFT_EM * em || ENDS_IN_COLON.test(run.text) ? run : undefined;
}

function rightOf(place: Box, runs: readonly TextRun[], em: number): TextRun | undefined {
  return nearest(
    runs.filter((run) => run.box.left >= place.right - 0.5 * em && isOnRow(run, place)),
    ({ box }) => box.left - place.right,
    MAX_RIGHT_EM * em,
  );
}

function choiceLabel({ box }: Candidate, space: PageSpace): Label {
  const runs = space.wordedRuns;
  const right = rightOf(box, runs, space.em);
  if (right !== undefined) return { text: right.text, place: "right", run: right };
  const left = leftOf(box, runs, space.em);
  if (left !== undefined) return { text: left.text, place: "left", run: left };
  return headerLabel(box, runs, space) ?? NO_LABEL;
}

/** Print over a place in its column, and before it in its row. */
function headerLabel(place: Box, runs: readonly TextRun[], space: PageSpace): Label | undefined {
  const { em } = space;
  const column = nearest(
    runs.filter(
      ({ box }) =>
        box.bottom <= place.top + 0.3 * em && spanOverlap(box.left, box.right, place.left, place.right) > 0.5 * em,
    ),
    ({ box }) => place.top - box.bottom,
    Infinity,
  );
  const row = nearest(
    runs.filter((run) => run.box.right <= place.left && isOnRow(run, place)),
    ({ box }) => place.left - box.right,
    Infinity,
  );
  const run = column ?? row;
  if (run === undefined) return undefined;
  const text = [row?.text, column === undefined ? undefined : withContinuation(column, runs, space)].filter(
    (one) => one !== undefined,
  );
  return { text: text.join(" "), place: "header", run };
}

/** The print in the cells at the head of a cell's row and column. */
function headsLabel({ around }: Candidate, space: PageSpace): Label | undefined {
  const heads = space.headsOf(around);
  const run = heads.at(-1)?.at(-1);
  if (run === undefined) return undefined;
  const texts = heads.map((print) => print.map(({ text }) => text).join(" "));
  return { text: texts.join(" "), place: "header", run };
}

function insideLabel({ box, around }: Candidate, space: PageSpace): Label | undefined {
  const print = space.runsIn(around).filter(hasLetters);
  // The number of a line names a place only where no words do.
  const words = print.filter(({ text }) => /\p{L}{2}/u.test(text));
  const own = words.length > 0 ? words : print;
  if (own.length === 0) return undefined;
  const distance = ({ box: one }: TextRun): number =>
    Math.max(box.left - one.right, one.left - box.right, 0) +
    2 * Math.max(box.top - one.bottom, one.top - box.bottom, 0);
  const run = nearest(own, distance, Infinity);
  if (run === undefined) return undefined;
  return { text: withContinuation(run, own, space), place: "inside", run };
}

function belowLabel({ box }: Candidate, runs: readonly TextRun[], { em }: PageSpace): TextRun | undefined {
  return nearest(
    runs.filter(
      (run) =>
        run.box.top >= box.bottom - 0.3 * em &&
        run.box.top <= box.bottom + MAX_BELOW_EM * em &&
        spanOverlap(run.box.left, run.box.right, box.left, box.right) >= 0.7 * (run.box.right - run.box.left),
    ),
    (run) => Math.min(Math.abs(run.box.left - box.left), Math.abs(middleX(run.box) - middleX(box))),
    Infinity,
  );
}

function aboveLabel({ box }: Candidate, runs: readonly TextRun[], { em }: PageSpace): TextRun | undefined {
  return nearest(
    runs.filter(
      (run) =>
        run.box.bottom <= box.top + 0.4 * em &&
        run.box.bottom >= box.top - MAX_ABOVE_EM * em &&
        spanOverlap(run.box.left, run.box.right, box.left, box.right) > 0,
    ),
    (run) => Math.abs(run.box.left - box.left),
    Infinity,
  );
}

/** Finds the label of a place. */
export function findLabel(candidate: Candidate, space: PageSpace): Label {
  if (isChoice(candidate)) return choiceLabel(candidate, space);
  const { box } = candidate;
  const { em } = space;
  const runs = space.wordedRuns;
  const inside = isLine(candidate) ? undefined : insideLabel(candidate, space);
  if (inside !== undefined) return inside;
  const heads = isLine(candidate) ? undefined : headsLabel(candidate, space);
  if (heads !== undefined) return heads;
  const left = leftOf(box, runs, em);
  if (left !== undefined) return { text: withContinuation(left, runs, space), place: "left", run: left };
  const { around } = candidate;
  const line = { at: around.bottom, from: around.left, to: around.right };
  const below = isLine(candidate) && !headsNextRow(line, [], space) ? belowLabel(candidate, runs, space) : undefined;
  if (below !== undefined) return { text: below.text, place: "below", run: below };
  const above = aboveLabel(candidate, runs, space);
  if (above !== undefined) return { text: withContinuation(above, runs, space), place: "above", run: above };
  return headerLabel(box, runs, space) ?? NO_LABEL;
}
