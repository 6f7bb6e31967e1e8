/** Groups of places to tick that answer one question, and whether only one of them can be ticked. */
import { middleY } from "../../layout/geometry.ts";
import { isChoice } from "./candidate.ts";
import type { JudgedCandidate } from "./confidence.ts";
import { isYesOrNo, leadingAnswer } from "./form-wording.ts";
import type { PageSpace, TextRun } from "./page-space.ts";

/** Ticks of one question, with the print that asks it. */
export interface ChoiceGroup {
  members: JudgedCandidate[];
  question: string;
  /** True where one answer excludes the others. */
  exclusive: boolean;
}

/** Distances between neighbours of one group in ems: beside each other on a row, and under each other in a column. */
const MAX_ROW_GAP_EM = 14;
const MAX_COLUMN_GAP_EM = 2.6;
const SAME_EDGE_EM = 0.6;
/** Distance of the question before or over its first answer, in ems. */
const MAX_QUESTION_ABOVE_EM = 3;
/** Ticks of a group of a column at most that may be radio buttons; longer lists are lists to choose several from. */
const MAX_EXCLUSIVE = 6;

/** The run that stands before the first mark on its row, else over it. */
function questionOf(first: JudgedCandidate, answers: ReadonlySet<TextRun | undefined>, space: PageSpace): string {
  const { box } = first.candidate;
  const runs = space.runs.filter((run) => !answers.has(run) && /\p{L}/u.test(run.text));
  const before = runs
    .filter((run) => run.box.right <= box.left && Math.abs(middleY(run.box) - middleY(box)) < 0.8 * space.em)
    .sort((a, b) => b.box.right - a.box.right)[0];
  if (before !== undefined) return before.text;
  const over = runs
    .filter(
      (run) =>
        run.box.bottom <= box.top + 0.4 * space.em &&
        run.box.bottom > box.top - MAX_QUESTION_ABOVE_EM * space.em &&
        run.box.left < box.right + 4 * space.em &&
        run.box.right > box.left - space.em,
    )
    .sort((a, b) => b.box.bottom - a.box.bottom)[0];
  return over?.text ?? "";
}

/** True if a mark continues a group on its row. */
function continuesRow(last: JudgedCandidate, next: JudgedCandidate, em: number): boolean {
  const [a, b] = [last.candidate.box, next.candidate.box];
  return (
    Math.abs(middleY(a) - middleY(b)) < SAME_EDGE_EM * em && b.left > a.right && b.left - a.right < MAX_ROW_GAP_EM * em
  );
}

/** True if a mark continues a group in its column. */
function continuesColumn(last: JudgedCandidate, next: JudgedCandidate, em: number): boolean {
  const [a, b] = [last.candidate.box, next.candidate.box];
  return Math.abs(a.left - b.left) < SAME_EDGE_EM * em && b.top > a.top && b.top - a.bottom < MAX_COLUMN_GAP_EM * em;
}

/** Answers of yes and no pair; a second yes begins the next question. */
const repeatsAnswer = (group: readonly JudgedCandidate[], next: JudgedCandidate): boolean =>
  isYesOrNo(next.label.text) && group.some(({ label }) => label.text.toLowerCase() === next.label.text.toLowerCase());

/** True for the second of a pair of answers: yes and no, each perhaps with what follows from it. */
function isOpposite(group: readonly JudgedCandidate[], next: JudgedCandidate): boolean {
  const [first, ...others] = group;
  const [one, other] = [leadingAnswer(first?.label.text ?? ""), leadingAnswer(next.label.text)];
  return others.length === 0 && one !== undefined && other !== undefined && one !== other;
}

/** True for a pair of such answers under each other: what follows answers another question. */
const isAnswered = ([first, second, ...others]: readonly JudgedCandidate[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  others.length === 0 &&
  second.candidate.box.top > first.candidate.box.bottom &&
  isOpposite([first], second);

/**
 * The groups of a page's places to tick.
 * @param places in reading order
 * @param pairsAnswers a yes over a no answers one question, too, whatever else their labels say
 */
export function groupChoices(
  places: readonly JudgedCandidate[],
  space: PageSpace,
  pairsAnswers = false,
): ChoiceGroup[] {
  const { em } = space;
  const open: JudgedCandidate[][] = [];
  for (const next of places.filter(({ candidate }) => isChoice(candidate))) {
    const own = open.findLast((group) => {
      const last = group.at(-1);
      if (last === undefined || repeatsAnswer(group, next)) return false;
      if (pairsAnswers && isAnswered(group)) return false;
      if (pairsAnswers && isOpposite(group, next) && continuesColumn(last, next, em)) return true;
      const isAnswer = isYesOrNo(next.label.text);
      if (isAnswer !== isYesOrNo(last.label.text)) return false;
      return (
        continuesRow(last, next, em) ||
        (!isAnswer &&
          group.every((one, index) => index === 0 || continuesColumn(group[index - 1] ?? one, one, em)) &&
          continuesColumn(last, next, em))
      );
    });
    if (own === undefined) open.push([next]);
    else own.push(next);
  }
  return open
    .filter((group) => group.length > 1)
    .map((members): ChoiceGroup => {
      const answers = new Set(members.map(({ label }) => label.run));
      const first = members[0];
      const isRound = members.every(({ candidate }) => candidate.shape === "round");
      const isYesNo = members.every(({ label }) => isYesOrNo(label.text));
      return {
        members,
        question: first === undefined ? "" : questionOf(first, answers, space),
        exclusive: (isRound && members.length <= MAX_EXCLUSIVE) || isYesNo,
      };
    });
}
