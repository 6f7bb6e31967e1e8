/** The source that the signs of a place are read from: the candidate, its label, and the page around it. */
import { spanOverlap } from "../../layout/geometry.ts";
import type { Candidate, Shape } from "./candidate.ts";
import { isYesOrNo } from "./form-wording.ts";
import type { Label } from "./labels.ts";
import type { PageSpace, TextRun } from "./page-space.ts";

export type Signs = Record<string, number>;

/** Distance of edges that line up, in ems. */
const ALIGNED_EM = 0.4;
/** Characters of a label that stands before a place on its row. */
const MAX_NAME_CHARACTERS = 40;
/** Distance of such a label, and of print behind a place, in ems. */
const BESIDE_EM = 1.2;
/** Characters of print in a cell with a label of some lines; more is a text. */
export const MAX_LABEL_CHARACTERS = 70;

export const flag = (condition: boolean): number => (condition ? 1 : 0);

/** A candidate and everything that its signs are read from. */
export interface SignSource {
  own: Candidate;
  label: Label;
  /** All candidates of the page: to write in, and to tick. */
  texts: readonly Candidate[];
  choices: readonly Candidate[];
  /** Share of the page's places to tick of each shape that miss the column or row of another by a little. */
  misaligned: ReadonlyMap<Shape, number>;
  space: PageSpace;
  /** The print in its cell. */
  print: readonly TextRun[];
}

const isAligned = (a: number, b: number, em: number): boolean => Math.abs(a - b) <= ALIGNED_EM * em;

/** Tells whether others of the same kind have the same edges, in a column and in a row. */
export function mates({ own, texts, space: { em } }: SignSource): { column: boolean; row: boolean } {
  const { left, right, top, bottom } = own.box;
  return {
    column: texts.some(
      (other) => other !== own && isAligned(other.box.left, left, em) && isAligned(other.box.right, right, em),
    ),
    row: texts.some(
      (other) => other !== own && isAligned(other.box.top, top, em) && isAligned(other.box.bottom, bottom, em),
    ),
  };
}

export const sharesRow = ({ box }: TextRun, place: Candidate["box"], least: number): boolean =>
  spanOverlap(box.top, box.bottom, place.top, place.bottom) > least * (box.bottom - box.top);

export const isLevel = (run: TextRun, first: TextRun | undefined): boolean =>
  first !== undefined && sharesRow(run, first.box, 0.5);

/** Width of the room after an answer from which it is to be told more about, in ems: `Yes:` and what then. */
const MIN_ANSWER_ROOM_EM = 6;

/** True for print that ends as one does before an entry: with a colon or a sign of money. */
const endsBeforeEntry = ({ text }: TextRun): boolean => /[:：$€#]\s*$/u.test(text);

/** Distance from the end of a leader to the place that it leads to, in ems: a number or a sign may stand between. */
const LEADER_REACH_EM = 5;

/** True for a place that a leader leads to. */
export const isLed = ({ own: { box }, space: { em, content } }: SignSource): boolean =>
  content.leaders.some(
    ({ at, to }) =>
      at > box.top && at < box.bottom + 0.3 * em && to <= box.left + em && box.left - to < LEADER_REACH_EM * em,
  );

/** The short text right before a place on its row, and whether it announces an entry; of some lines, one that does. */
export function nameBeside({ own: { box }, space: { runs, em } }: SignSource): { name?: TextRun; announces: boolean } {
  const names = runs.filter(
    (run) =>
      run.box.right <= box.left + 0.3 * em &&
      box.left - run.box.right < BESIDE_EM * em &&
      run.text.length <= MAX_NAME_CHARACTERS &&
      sharesRow(run, box, 0.5),
  );
  const announces = (run: TextRun): boolean =>
    endsBeforeEntry(run) && (!isYesOrNo(run.text) || box.right - box.left >= MIN_ANSWER_ROOM_EM * em);
  const name = names.find(announces) ?? names[0];
  return name === undefined ? { announces: false } : { name, announces: announces(name) };
}

/** True for the label of a checkbox: a box to tick stands right before it. */
export const namesChoice = ({ label: { run }, choices, space: { em } }: SignSource): boolean =>
  run !== undefined &&
  choices.some(
    (other) =>
      other.box.right <= run.box.left + 0.5 * em &&
      run.box.left - other.box.right < BESIDE_EM * em &&
      sharesRow(run, other.box, 0.3),
  );
